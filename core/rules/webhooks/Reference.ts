import type { Payload } from "../../model/webhooks/EndpointOptions.ts"

interface Named {
  readonly id: string
}

/** The parts of an envelope that name something. */
interface Data {
  readonly design?: Named
  readonly order?: Named & { readonly designs: ReadonlyArray<Named> }
}

const idOf = ({ id }: Named) => ({ id })

/** The ids in an envelope's `data`; the same data if it has neither a design nor an order, as the data of a `ping`. */
const referenced = (data: Data) => {
  if (data.design !== undefined) return { design: idOf(data.design) }
  return data.order === undefined ? data : { order: { ...idOf(data.order), designs: data.order.designs.map(idOf) } }
}

/**
 * The body of a delivery: the envelope as it is kept, or with only the ids of its objects, for receivers that read
 * them back (D72). Every attempt of an event has the same.
 */
export const bodyFor = (payload: Payload, envelope: string): string => {
  if (payload === "full") return envelope
  const parsed = JSON.parse(envelope) as { readonly data: Data }
  return JSON.stringify({ ...parsed, data: referenced(parsed.data) })
}
