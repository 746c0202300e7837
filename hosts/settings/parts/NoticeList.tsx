import type { Endpoint } from "../../../core/model/Endpoint.ts"
import type { Notice } from "../../../core/model/Resources.ts"
import type { Visit } from "../Visit.ts"
import { Time } from "./Time.tsx"

/** A short text. The linked page has the details. */
const textOf = ({ delivery, endpoint, notice }: Notice): string => {
  switch (notice) {
    case "endpoint.failing":
      return `Failed ${endpoint.consecutiveFailures} times in a row`
    case "endpoint.switched_off":
      return `Switched off after ${endpoint.consecutiveFailures} failures in a row`
    case "delivery.given_up":
      return `Delivery given up after ${delivery.attempts} ${delivery.attempts === 1 ? "attempt" : "attempts"}`
  }
}

/** The notices that the owner has received (D42). A notice about a deleted endpoint has no link. */
export const NoticeList = ({
  endpoints,
  notices,
  visit,
}: {
  readonly endpoints: ReadonlyArray<Pick<Endpoint, "id">>
  readonly notices: ReadonlyArray<Notice>
  readonly visit: Visit["Service"]
}) => (
  <section class="card" aria-labelledby="notices">
    <header>
      <h2 id="notices">Notices</h2>
    </header>
    <ul class="plain">
      {notices.map((notice) => {
        const path = `${visit.root}webhooks/${notice.endpoint.id}`
        const exists = endpoints.some(({ id }) => id === notice.endpoint.id)
        return (
          <li key={notice.id}>
            <div>
              <p>
                {exists ? (
                  <a href={notice.notice === "delivery.given_up" ? `${path}/deliveries/${notice.delivery.id}` : path}>
                    {textOf(notice)}
                  </a>
                ) : (
                  textOf(notice)
                )}
              </p>
              <p class="hint mono">
                <bdi>{notice.endpoint.url}</bdi>
              </p>
            </div>
            <span class="hint">
              <Time at={notice.createdAt} now={visit.now} />
            </span>
          </li>
        )
      })}
    </ul>
  </section>
)
