import type { Endpoint } from "../../../core/model/Endpoint.ts"
import type { Notice } from "../../../core/model/Resources.ts"
import type { Texts } from "../texts/Language.ts"
import type { Visit } from "../Visit.ts"
import { Time } from "./Time.tsx"

/** A short text. The linked page has the details. */
const textOf = ({ delivery, endpoint, notice }: Notice, { notices }: Texts): string => {
  switch (notice) {
    case "endpoint.failing":
      return notices.failing(endpoint.consecutiveFailures)
    case "endpoint.switched_off":
      return notices.switchedOff(endpoint.consecutiveFailures)
    case "delivery.given_up":
      return notices.givenUp(delivery.attempts)
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
      <h2 id="notices">{visit.texts.notices.title}</h2>
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
                    {textOf(notice, visit.texts)}
                  </a>
                ) : (
                  textOf(notice, visit.texts)
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
