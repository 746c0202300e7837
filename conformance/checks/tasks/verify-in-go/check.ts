/** Deliveries that are signed, and deliveries that are not quite. */
import { randomBytes } from "node:crypto"
import { freePort } from "../../../testkit/processes/FreePort.ts"
import type { Check } from "../Attempt.ts"
import { expect } from "../Program.ts"
import { signed } from "../Receiver.ts"

export const needs = ["go"]

const design = (order: number, status: "draft" | "ordered" = "ordered") => ({
  id: `design-${order}`,
  status,
  customizer: { id: 1, title: "Ring", version: 1 },
  order: status === "draft" ? null : { id: `${order}`, name: `#${order}`, lineItemId: "1" },
  selection: { engraving: { text: "Für Zoë <3 & co" } },
  summary: [{ key: "Engraving", value: "Für Zoë <3 & co" }],
  productionData: [{ key: "engraving", value: "Für Zoë <3 & co" }],
  price: { base: 12_900, lines: [], rounding: 0, total: 12_900, currency: "EUR" },
  images: { front: "https://images.acme.example.com/front.png" },
  thumbnail: "https://images.acme.example.com/front_thumb.png",
  createdAt: "2026-11-20T11:00:00.000+00:00",
  orderedAt: status === "draft" ? null : "2026-11-20T12:00:00.000+00:00",
})

const event = (id: string, kind: string, data: object, test = false): string => {
  const createdAt = "2026-11-20T12:00:00.000+00:00"
  return JSON.stringify({ id, event: kind, apiVersion: "2026-10", createdAt, shop: "acme.example.com", data, test })
}

const ordered = (order: number, id = `evt_ordered${order}`): string =>
  event(id, "design.ordered", { design: design(order) })

const cancelled = (number: number): string => {
  const [id, name] = [`${number}`, `#${number}`]
  const order = { id, name, status: "cancelled", currency: "EUR", total: 12_900, orderedAt: "2026-11-20T12:00:00Z" }
  return event(`evt_cancelled${number}`, "order.cancelled", { order: { ...order, designs: [design(number)] } })
}

type Headers = Readonly<Record<string, string>>

/** Deliveries that nobody may believe. */
const forgeries = (secret: string): ReadonlyArray<readonly [why: string, body: string, headers: Headers]> => {
  const body = ordered(666)
  const now = Math.floor(Date.now() / 1000)
  const without = (name: string) =>
    Object.fromEntries(Object.entries(signed(secret, body)).filter(([key]) => key !== name))
  return [
    ["has no signature", body, without("x-service-signature")],
    ["has no timestamp", body, without("x-service-timestamp")],
    ["is signed with another secret", body, signed(`${secret}x`, body)],
    ["is signed with an empty secret", body, signed("", body)],
    ["was changed after it was signed", body.replace("12900", "12901"), signed(secret, body)],
    ["is ten minutes old", body, signed(secret, body, now - 600)],
    ["is of a time in ten minutes", body, signed(secret, body, now + 600)],
    [
      "has another timestamp than the signed one",
      body,
      { ...signed(secret, body), "x-service-timestamp": `${now - 1}` },
    ],
    ["has a timestamp that is not a number", body, { ...signed(secret, body), "x-service-timestamp": "now" }],
  ]
}

/** Genuine deliveries, each with the list after it. */
const genuine: ReadonlyArray<readonly [what: string, body: string, list: ReadonlyArray<string>]> = [
  ["a design.ordered of #1001", ordered(1001), ["#1001"]],
  ["the same event once more", ordered(1001), ["#1001"]],
  ["an event of a second design of #1001", ordered(1001, "evt_second"), ["#1001"]],
  ["a body that is written over several lines", JSON.stringify(JSON.parse(ordered(1002)), null, 2), ["#1001", "#1002"]],
  ["an order.cancelled of #1001", cancelled(1001), ["#1002"]],
  ["an old design.ordered of the cancelled #1001, again", ordered(1001), ["#1002"]],
  ["an order.cancelled of #1003, which was not ordered yet", cancelled(1003), ["#1002"]],
  ["the design.ordered of #1003 after its cancellation", ordered(1003), ["#1002"]],
  ["a design.created", event("evt_5", "design.created", { design: design(1005, "draft") }), ["#1002"]],
  ["a ping", event("evt_6", "ping", { message: "Hello" }, true), ["#1002"]],
  ["a test of design.ordered", event("evt_7", "design.ordered", { design: design(1007) }, true), ["#1002"]],
  ["an event of a kind that does not exist yet", event("evt_8", "design.painted", { paint: "red" }), ["#1002"]],
]

export const check: Check = async (attempt) => {
  const port = await freePort()
  const secret = `whsec_${randomBytes(32).toString("base64")}`
  await attempt.run("go build -o workshop .", { GO111MODULE: "on", GOFLAGS: "-mod=mod", GOTOOLCHAIN: "local" })
  const program = attempt.start("exec ./workshop", { PORT: `${port}`, SIGNING_SECRET: secret })
  await program.listensAt(port)
  const send = async (body: string, headers: Headers): Promise<number> =>
    (await fetch(`http://127.0.0.1:${port}/webhooks`, { method: "POST", headers, body })).status
  const list = async (): Promise<string> => (await (await fetch(`http://127.0.0.1:${port}/worklist`)).text()).trim()

  for (const [why, body, headers] of forgeries(secret)) {
    const status = await send(body, headers)
    expect(status === 401, `A delivery that ${why} is answered with ${status}, not 401`)
  }
  expect((await list()) === "[]", `After forged deliveries alone the list is ${await list()}, not []`)
  for (const [what, body, expected] of genuine) {
    const status = await send(body, signed(secret, body))
    expect(status >= 200 && status < 300, `A genuine delivery, ${what}, is answered with ${status}, not with 2xx`)
    const shown = await list()
    expect(shown === JSON.stringify(expected), `After ${what} the list is ${shown}, not ${JSON.stringify(expected)}`)
  }
}
