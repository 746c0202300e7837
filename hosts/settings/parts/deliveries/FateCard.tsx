import { format } from "../../../../core/model/Instant.ts"
import type { Order } from "../../../../core/model/orders/Order.ts"
import { includesApi, type Shop } from "../../../../core/model/shops/Shop.ts"
import type { LoggedDelivery } from "../../../../core/model/webhooks/LoggedDelivery.ts"
import type { EndpointFate, OrderFate } from "../../../../core/usecases/webhooks/OrderFate.ts"
import type { VisitProps } from "../../Visit.ts"
import { Card } from "../Card.tsx"
import { cut } from "../catalog/Cut.ts"
import { queryWith } from "../catalog/Links.ts"
import { EndpointName, nameOf } from "../endpoints/EndpointName.tsx"
import { Table } from "../List.tsx"
import { PostForm } from "../PostForm.tsx"
import { Time } from "../Time.tsx"
import { LoggedBadge, outcomeOf } from "./Outcome.tsx"
import { GoesOut, whyItWaits } from "./WaitingTable.tsx"

/** Lines of an endpoint that are shown, the characters of its name, and the time for which events are kept. */
const [linesShown, nameShown, retention] = [4, 40, 30 * 24 * 60 * 60 * 1000]

interface Shown extends VisitProps {
  readonly shop: Shop
}

/** What became of an order at each endpoint, and a button to send it there. */
export const FateCard = ({
  fate: { endpoints, events },
  heading = "fate",
  name,
  order: { id, orderedAt },
  shop,
  visit,
}: Shown & {
  readonly fate: OrderFate
  /** The id of its heading. */
  readonly heading?: string
  /** The time is left out for an order that is not stored. */
  readonly order: Pick<Order, "id"> & Partial<Pick<Order, "orderedAt">>
  /** The name of the order in the heading, if the page is about something else. */
  readonly name?: string
}) => {
  const texts = visit.texts.fate
  const isOld = orderedAt !== undefined && visit.now - Date.parse(orderedAt) > retention
  const became = (own: EndpointFate) =>
    own.lines.length === 0 ? (
      <span class="hint">{isOld ? texts.old : texts.noEvents}</span>
    ) : (
      <Lines {...own} shop={shop} visit={visit} />
    )
  const send = ({ endpoint, sendable }: EndpointFate) =>
    sendable > 0 &&
    includesApi(shop.plan) && (
      <PostForm visit={visit} action={`${visit.root}orders/~/send${queryWith({ id })}`}>
        <input type="hidden" name="endpoint" value={endpoint.id} />
        <button
          class="button small"
          type="submit"
          aria-label={texts.sendTo(cut(nameOf(endpoint), nameShown), sendable)}
        >
          {texts.sendCount(sendable)}
        </button>
      </PostForm>
    )
  return (
    <Card
      id={heading}
      title={name === undefined ? texts.title : <bdi>{texts.titleOf(cut(name, nameShown))}</bdi>}
      aside={events.kept > events.shown && <span class="hint">{texts.newest(events.shown)}</span>}
    >
      {endpoints.length === 0 ? (
        <p class="pad hint">{texts.noEndpoints}</p>
      ) : (
        <Table
          kind="listed"
          rows={endpoints}
          keyOf={({ endpoint }) => endpoint.id}
          columns={[
            {
              ...{ label: visit.texts.deliveryList.columns.endpoint, isBare: true },
              cell: (own) => (
                <div>
                  <EndpointName {...own} root={visit.root} />
                </div>
              ),
            },
            { label: texts.became, isBare: true, cell: became },
            { label: texts.send, isHidden: true, isBare: true, cell: send },
          ]}
        />
      )}
      {isOld && events.kept > 0 && <p class="pad hint">{texts.oldOnes}</p>}
    </Card>
  )
}

const eventsIn = (lines: EndpointFate["lines"]) => lines.reduce((all, { events }) => all + events, 0)

const Lines = ({ lines, ...own }: EndpointFate & Shown) => {
  const { figures, now, texts } = own.visit
  return (
    <ul class="stack tight">
      {lines.slice(0, linesShown).map(({ events, fate, kind }, index) => {
        const text = <code>{events === 1 ? kind : `${kind} × ${figures.figure(events)}`}</code>
        return (
          <li key={index}>
            {"delivery" in fate ? (
              <>
                <LoggedBadge delivery={fate.delivery} now={now} /> <DeliveryHref {...own} {...fate} text={text} />
                {": "}
                <Became {...own} delivery={fate.delivery} />
              </>
            ) : (
              <>
                <span class="badge">{fate.because === "unlisted" ? texts.fate.notListed : texts.fate.notSent}</span>{" "}
                {text}
                {`: ${texts.fate.because[fate.because]}`}
                {fate.since !== null && (
                  <span class="hint">
                    {" "}
                    (<Time at={format(fate.since)} now={now} />)
                  </span>
                )}
              </>
            )}
          </li>
        )
      })}
      {lines.length > linesShown && <li class="hint">{texts.fate.more(eventsIn(lines.slice(linesShown)))}</li>}
    </ul>
  )
}

type OfDelivery = Omit<EndpointFate, "lines"> & Shown & { readonly delivery: LoggedDelivery }

const DeliveryHref = ({ delivery, endpoint, text, visit }: OfDelivery & { readonly text: object }) => (
  <a href={`${visit.root}webhooks/${endpoint.id}/deliveries/${delivery.id}`}>{text}</a>
)

/** What became of a delivery: its last answer, and when, or why, it goes out. */
const Became = ({ delivery, ...own }: OfDelivery) => {
  const { endpoint, front, shop, visit } = own
  const { isBehind, lastAttempt, status } = delivery
  const { fate: texts } = visit.texts
  if (status === "dropped") return visit.texts.delivery.droppedText
  const when = lastAttempt !== null && <Time at={format(lastAttempt.at)} now={visit.now} />
  if (status === "succeeded") return when
  const answer = lastAttempt === null ? "" : `${outcomeOf(lastAttempt, visit.texts)}, `
  if (status === "failed") return [answer, when]
  const waiting = { visit, shop, delivery, endpoint }
  return isBehind && front !== null ? (
    <>
      {`${answer}${texts.behind} `}
      <DeliveryHref {...own} delivery={front} text={<code>{front.event}</code>} />
    </>
  ) : (
    <>
      {`${answer}${texts.nextTry} `}
      <GoesOut {...waiting} /> <span class="hint">({whyItWaits(waiting)})</span>
    </>
  )
}
