import type { EventRecord } from "../../model/events/Event.ts"
import type { EndpointRecord } from "../../model/webhooks/Endpoint.ts"

/** The data of an event, as far as it names customizers. */
interface Data {
  readonly design?: { readonly customizer: { readonly id: number } }
  readonly order?: { readonly designs: ReadonlyArray<{ readonly customizer: { readonly id: number } }> }
}

/** The ids of the customizers whose designs an event shows. */
const customizersOf = (body: string): ReadonlyArray<number> => {
  const { data } = JSON.parse(body) as { readonly data: Data }
  const designs = data.order?.designs ?? (data.design === undefined ? [] : [data.design])
  return designs.map(({ customizer }) => customizer.id)
}

/**
 * Whether an endpoint wants an event: it takes the kind (D31), and the event shows a design of one of the customizers
 * that it names, or it names none (D76). Tests are sent whatever it wants.
 */
export const isWanted = (
  { body, event }: Pick<EventRecord, "event" | "body">,
  { kinds, options }: Pick<EndpointRecord, "kinds" | "options">,
): boolean => {
  const taken: ReadonlyArray<string> = kinds
  const { customizers } = options
  return taken.includes(event) && (customizers === null || customizersOf(body).some((id) => customizers.includes(id)))
}
