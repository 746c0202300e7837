import type {
  DeliveryNotice,
  InboxNotice,
  Notice,
  PlatformEventNotice,
  PlatformNotice,
  TokenNotice,
} from "../../../core/model/Resources.ts"
import type { Endpoint } from "../../../core/model/webhooks/Endpoint.ts"
import type { Texts } from "../texts/Language.ts"
import type { VisitProps } from "../Visit.ts"
import { Card } from "./Card.tsx"
import { cut } from "./catalog/Cut.ts"
import { NameLink } from "./catalog/Isolated.tsx"
import { outcomeOf } from "./deliveries/Outcome.tsx"
import { Time } from "./Time.tsx"

/** A short text. The linked page has the details. */
const textOf = ({ delivery, endpoint, notice }: DeliveryNotice, { notices }: Texts): string => {
  switch (notice) {
    case "endpoint.failing":
      return notices.failing(endpoint.consecutiveFailures)
    case "endpoint.switched_off":
      return notices.switchedOff(endpoint.consecutiveFailures)
    case "delivery.given_up":
      return notices.givenUp(delivery.attempts)
  }
}

/** The last answer. A notice does not say how long it took. */
const answerOf = ({ error, statusCode }: DeliveryNotice["delivery"], texts: Texts): string =>
  error === "timeout"
    ? texts.notices.timeout
    : outcomeOf({ error, statusCode, durationMs: 0, responseStart: null }, texts)

interface Props<A> extends VisitProps {
  readonly endpoints: ReadonlyArray<Pick<Endpoint, "id" | "description">>
  readonly notice: A
}

/** The notices that the owner has received (D42, D57, D77, D85). A notice about a deleted endpoint has no link. */
export const NoticeList = ({
  notices,
  ...others
}: Omit<Props<never>, "notice"> & { readonly notices: ReadonlyArray<Notice> }) => (
  <Card id="notices" title={others.visit.texts.notices.title}>
    <ul class="plain">
      {notices.map((notice) => (
        <li key={notice.id}>
          <About {...others} notice={notice} />
          <span class="hint">
            <Time at={notice.createdAt} now={others.visit.now} />
          </span>
        </li>
      ))}
    </ul>
  </Card>
)

const About = (props: Props<Notice>) => {
  const { notice } = props
  switch (notice.notice) {
    case "token.ending":
      return <AboutToken {...props} notice={notice} />
    case "inbox.dropped":
      return <AboutInbox {...props} notice={notice} />
    case "inbox.failed":
    case "inbox.waiting":
      return <AboutEvent {...props} notice={notice} />
    case "platform.disconnected":
      return <AboutPlatform {...props} notice={notice} />
    default:
      return <AboutDelivery {...props} notice={notice} />
  }
}

const AboutDelivery = ({ endpoints, notice, visit }: Props<DeliveryNotice>) => {
  const path = `${visit.root}webhooks/${notice.endpoint.id}`
  const own = endpoints.find(({ id }) => id === notice.endpoint.id)
  const text = `${textOf(notice, visit.texts)}: ${answerOf(notice.delivery, visit.texts)}`
  return (
    <div>
      <p>
        {own !== undefined ? (
          <a href={notice.notice === "delivery.given_up" ? `${path}/deliveries/${notice.delivery.id}` : path}>{text}</a>
        ) : (
          text
        )}
      </p>
      <p class="hint">
        <bdi>{own?.description || notice.endpoint.url}</bdi>
      </p>
    </div>
  )
}

const AboutToken = ({ notice: { token }, visit }: Props<TokenNotice>) => (
  <div>
    <p>
      <NameLink href={`${visit.root}tokens`} name={visit.texts.notices.tokenEnding(token.name)} />
    </p>
    <p class="hint">
      <code>{`cmz_…${token.hint}`}</code> {visit.texts.notices.tokenEnd(<Time at={token.expiresAt} now={visit.now} />)}
    </p>
  </div>
)

const AboutInbox = ({ notice: { inbox }, visit }: Props<InboxNotice>) => {
  const { events, oldest } = inbox
  return (
    <div>
      <p>
        <a href={`${visit.root}inbox`}>{visit.texts.notices.inboxDropped(events)}</a>
      </p>
      {oldest.orderId !== null && (
        <p class="hint">{visit.texts.notices.inboxOldest(<bdi>{cut(oldest.orderId, 100)}</bdi>)}</p>
      )}
    </div>
  )
}

const AboutPlatform = ({ notice: { platform }, visit }: Props<PlatformNotice>) => (
  <div>
    <p>
      <a href={`${visit.root}platforms`}>
        {(platform.reason ?? null) === null
          ? visit.texts.notices.platformEnded(visit.texts.inbox.sources[platform.name])
          : visit.texts.notices.platformTroubled(visit.texts.inbox.sources[platform.name])}
      </a>
    </p>
    {(platform.reason ?? null) !== null && <p class="hint">{platform.reason}</p>}
    <p class="hint mono">
      <bdi>{platform.domain}</bdi>
    </p>
  </div>
)

const AboutEvent = ({ notice: { inbox }, visit }: Props<PlatformEventNotice>) => (
  <div>
    <p>
      <a href={`${visit.root}inbox?state=${inbox.state}`}>{visit.texts.notices.inboxTroubled[inbox.state]}</a>
    </p>
    {inbox.orderId !== null && (
      <p class="hint">{visit.texts.notices.inboxOrder(<bdi>{cut(inbox.orderId, 100)}</bdi>)}</p>
    )}
    {inbox.events > 1 && <p class="hint">{visit.texts.notices.inboxMany(visit.figures.figure(inbox.events))}</p>}
  </div>
)
