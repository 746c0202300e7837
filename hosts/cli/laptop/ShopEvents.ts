/** Events that a shop's platform would cause, caused through the management API. */
import type { Delivery } from "../../../core/model/webhooks/Delivery.ts"
import type { Endpoint } from "../../../core/model/webhooks/Endpoint.ts"
import type { ManagedShop } from "./Manage.ts"
import { innermostMessage } from "./Outgoing.ts"
import { saveSampleDesign } from "./SampleDesign.ts"

/** The events that `designwire trigger` can cause. */
export const triggers = ["design.ordered", "order.cancelled", "ping"] as const
export type Trigger = (typeof triggers)[number]

/** A description of each step, and why others failed. */
interface Happened {
  readonly lines: ReadonlyArray<string>
  readonly failed: ReadonlyArray<string>
}

/** Causes an event. */
export const happen = async (shop: ManagedShop, event: Trigger): Promise<Happened> => {
  if (event === "ping") return sendTests(shop)
  const id = `trigger-${Date.now().toString(36)}`
  const designId = await placeOrder(shop, id)
  if (event === "order.cancelled") await shop.call("POST", `/orders/${id}/cancel`)
  const cancelled = event === "order.cancelled" ? ", cancelled" : ""
  return { lines: [`${event}: order ${id} of shop ${shop.shop} with the design ${designId}${cancelled}`], failed: [] }
}

/** Sends a test event to each endpoint of a shop, whatever becomes of the others. */
const sendTests = async ({ call, shop }: ManagedShop): Promise<Happened> => {
  const { data } = (await call("GET", "/webhooks")) as { readonly data: ReadonlyArray<Endpoint> }
  if (data.length === 0) {
    const nobody = `The shop ${shop} has no webhook endpoint that a ping could go to. The feed shows no tests`
    return { lines: [nobody], failed: [] }
  }
  const [lines, failed]: [Array<string>, Array<string>] = [[], []]
  for (const { id, url } of data) {
    try {
      const sent = (await call("POST", `/webhooks/${id}/test`)) as Delivery
      lines.push(`test event (${sent.event}) to ${url}: delivery ${sent.id}`)
    } catch (error) {
      failed.push(`No test event to ${url}: ${innermostMessage(error)}`)
    }
  }
  return { lines, failed }
}

const placeOrder = async (shop: ManagedShop, id: string): Promise<string> => {
  const designId = await saveSampleDesign(shop, `${id}-design`)
  const lines = [{ designId, lineItemId: "1" }]
  await shop.call("PUT", `/orders/${id}`, { name: `#${id}`, orderedAt: new Date().toISOString(), lines })
  return designId
}
