import type { Endpoint } from "../../../core/model/Endpoint.ts"
import type { Notice } from "../../../core/model/Resources.ts"
import type { Visit } from "../Visit.ts"
import { Time } from "./Time.tsx"

/** What happened, in few words; the rest is behind the link. */
const wordsOf = ({ delivery, endpoint, notice }: Notice): string => {
  switch (notice) {
    case "endpoint.failing":
      return `Failed ${endpoint.consecutiveFailures} times in a row`
    case "endpoint.switched_off":
      return `Switched off after ${endpoint.consecutiveFailures} failures in a row`
    case "delivery.given_up":
      return `Delivery given up after ${delivery.attempts} ${delivery.attempts === 1 ? "attempt" : "attempts"}`
  }
}

/** What owners were told of (D42). An endpoint that is gone has no page to lead to. */
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
        const isThere = endpoints.some(({ id }) => id === notice.endpoint.id)
        return (
          <li key={notice.id}>
            <div>
              <p>
                {isThere ? (
                  <a href={notice.notice === "delivery.given_up" ? `${path}/deliveries/${notice.delivery.id}` : path}>
                    {wordsOf(notice)}
                  </a>
                ) : (
                  wordsOf(notice)
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
