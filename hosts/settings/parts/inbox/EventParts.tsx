import { canBePlaced, type InboxState, isDone } from "../../../../core/model/ingest/InboxItem.ts"
import type { InboxView } from "../../../../core/model/ingest/InboxView.ts"
import type { VisitProps } from "../../Visit.ts"
import { cut } from "../catalog/Cut.ts"
import { findHref } from "../catalog/Links.ts"
import { PostForm } from "../PostForm.tsx"
import { reasonIn } from "../Reasons.ts"

/** Texts of a platform are cut after this many characters. The API has all of them. */
const [longestId, longestReason] = [60, 300]

/** A link of more characters would make the page large: ids of orders may be any text. */
const longestLink = 400

/** The look of an event's state. */
export const badges: Readonly<Record<InboxState, string>> = {
  waiting: "badge warn",
  failed: "badge bad",
  applied: "badge good",
  ignored: "badge",
  unpaid: "badge warn",
}

/** Everything about an order, by its name if it is stored: otherwise its page would not exist. */
export const OrderLink = ({
  id,
  name = id,
  visit,
}: VisitProps & { readonly id: string; readonly name?: string | undefined }) => {
  const href = findHref(visit.root, id)
  const text = <bdi>{cut(name, longestId)}</bdi>
  return href.length > longestLink ? text : <a href={href}>{text}</a>
}

interface AboutEvent extends VisitProps {
  readonly event: InboxView
}

/** Why an event is in its state. */
export const Reason = ({ event: { designId, reason }, visit }: AboutEvent) => {
  if (designId !== null) return <bdi>{visit.texts.inbox.waitsFor(cut(designId, longestId))}</bdi>
  if (reason === null) return null
  const { lang, text } = reasonIn(visit, reason, longestReason)
  return <bdi lang={lang}>{text}</bdi>
}

/** The actions for an event. Its own page can also `dismiss` it. */
export const Actions = ({ dismisses = false, event, visit }: AboutEvent & { readonly dismisses?: boolean }) => {
  const { dismiss, placeNamed, placeNow, tryAgain, tryNamed } = visit.texts.inbox
  if (visit.visitor.isReadOnly) return null
  return (
    <>
      {!isDone(event.state) && event.state !== "unpaid" && (
        <Action event={event} visit={visit} name="apply" text={tryAgain} label={tryNamed} />
      )}
      {canBePlaced(event) && <Action event={event} visit={visit} name="place" text={placeNow} label={placeNamed} />}
      {dismisses && event.orderId !== null && !isDone(event.state) && (
        <Action event={event} visit={visit} name="dismiss" text={dismiss} label={() => dismiss} />
      )}
    </>
  )
}

const Action = ({
  event: { id, orderId, topic },
  label,
  name,
  text,
  visit,
}: AboutEvent & {
  readonly name: "apply" | "place" | "dismiss"
  readonly text: string
  readonly label: (topic: string, order: string) => string
}) => (
  <PostForm visit={visit} action={`${visit.root}inbox/${id}/${name}`}>
    <button class="button small" type="submit" aria-label={label(cut(topic, longestId), cut(orderId ?? "", longestId))}>
      {text}
    </button>
  </PostForm>
)
