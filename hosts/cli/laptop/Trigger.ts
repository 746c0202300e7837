import { Console, Effect } from "effect"
import type { Delivery } from "../../../core/model/Delivery.ts"
import type { Endpoint } from "../../../core/model/Endpoint.ts"
import { configError } from "../ReadConfig.ts"
import { type ManagedShop, type ManageOptions, managedShop, running } from "./Manage.ts"
import { isLocal, printable } from "./Outgoing.ts"

/** The events that `designwire trigger` can cause. */
export const triggers = ["design.ordered", "order.cancelled", "ping"] as const
export type Trigger = (typeof triggers)[number]

/** `designwire trigger`: causes an event in a shop of a host on this machine, as the shop's platform would. */
export const trigger = Effect.fn("trigger")(function* (options: ManageOptions & { readonly event: Trigger }) {
  if (!URL.canParse(options.url) || !isLocal(options.url)) {
    return yield* configError(
      "trigger makes orders up: it works only on a host on this machine, e.g. http://127.0.0.1:3000",
    )
  }
  const shop = yield* managedShop(options)
  for (const line of yield* running(() => happen(shop, options.event))) yield* Console.log(printable(line))
})

/** Causes an event, and returns a description of each step. */
const happen = async (shop: ManagedShop, event: Trigger): Promise<ReadonlyArray<string>> => {
  if (event === "ping") return sendTests(shop)
  const id = `trigger-${Date.now().toString(36)}`
  const designId = await placeOrder(shop, id)
  if (event === "order.cancelled") await shop.call("POST", `/orders/${id}/cancel`)
  const cancelled = event === "order.cancelled" ? ", cancelled" : ""
  return [`${event}: order ${id} of shop ${shop.shop} with the design ${designId}${cancelled}`]
}

const sendTests = async ({ call, shop }: ManagedShop): Promise<ReadonlyArray<string>> => {
  const { data } = (await call("GET", "/webhooks")) as { readonly data: ReadonlyArray<Endpoint> }
  if (data.length === 0)
    return [`The shop ${shop} has no webhook endpoint that a ping could go to. The feed shows no tests`]
  const lines: Array<string> = []
  for (const { id, url } of data) {
    const sent = (await call("POST", `/webhooks/${id}/test`)) as Delivery
    lines.push(`test event (${sent.event}) to ${url}: delivery ${sent.id}`)
  }
  return lines
}

/** The id of a customizer for this purpose only, which no buyer sees. */
const customizerId = 999_999_999

const definition = {
  schemaVersion: 1,
  steps: [{ id: "choose", title: "Choose", view: "front" }],
  questions: [
    {
      id: "colour",
      step: "choose",
      title: "Colour",
      type: "single",
      answers: [{ id: "red", title: "Red", productionCode: "RED", price: 250 }],
    },
  ],
  rules: [],
}

const placeOrder = async ({ call }: ManagedShop, id: string): Promise<string> => {
  const path = `/customizers/${customizerId}`
  const description = {
    title: "Made by designwire trigger",
    platformProductId: `gid://platform/Product/${customizerId}`,
    assetBase: "https://assets.example.com/",
  }
  const { version } = (await call("PUT", path, description)) as { readonly version: number | null }
  if (version === null) await call("POST", `${path}/publish`, { definition })
  const designId = `${id}-design`
  await call("PUT", `/designs/${designId}`, { customizerId, selection: { colour: "red" }, basePrice: 1_900 })
  const lines = [{ designId, lineItemId: "1" }]
  await call("PUT", `/orders/${id}`, { name: `#${id}`, orderedAt: new Date().toISOString(), lines })
  return designId
}
