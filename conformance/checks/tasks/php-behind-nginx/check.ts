/** Deliveries through nginx: genuine ones, the largest, forged ones; and one that designwire itself makes. */
import { randomBytes } from "node:crypto"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { freePort } from "../../../testkit/processes/FreePort.ts"
import type { Check } from "../Attempt.ts"
import { expect } from "../Program.ts"
import { signed } from "../Receiver.ts"
import { eventually } from "../Service.ts"

export const needs = ["php", "nginx"]

const event = (id: string, kind: string, data: object, test = false): string =>
  JSON.stringify({ id, event: kind, apiVersion: "2026-10", shop: "acme.example.com", data, test })

const ordered = (order: number, test = false, note = ""): string =>
  event(
    `evt_${order}`,
    "design.ordered",
    { design: { id: "d", order: { id: `${order}`, name: `#${order}` }, note } },
    test,
  )

const cancelled = (order: number, note = ""): string =>
  event(`evt_c${order}`, "order.cancelled", { order: { id: `${order}`, name: `#${order}`, designs: [{ note }] } })

/** The largest body that designwire sends, by its guide. */
const large = "ü".repeat(33 * 2 ** 19)

export const check: Check = async (attempt) => {
  const port = await freePort()
  const secret = `whsec_${randomBytes(32).toString("base64")}`
  rmSync(join(attempt.directory, "jobs.json"), { force: true })
  const program = attempt.start("exec sh start.sh", { PORT: `${port}`, SIGNING_SECRET: secret })
  await program.listensAt(port)
  await program.listensAt(port + 1)
  const url = `http://127.0.0.1:${port}`
  const send = async (body: string, headers: Readonly<Record<string, string>> = signed(secret, body)) =>
    (await fetch(`${url}/hooks`, { method: "POST", headers, body })).status
  const jobs = async (): Promise<string> => (await (await fetch(`${url}/jobs`)).text()).trim()

  for (const [why, headers] of [
    ["has no signature", {}],
    ["is signed with another secret", signed("whsec_other", ordered(666))],
    ["is ten minutes old", signed(secret, ordered(666), Math.floor(Date.now() / 1000) - 600)],
  ] as const) {
    const status = await send(ordered(666), headers)
    expect(status === 401, `A delivery that ${why} is answered with ${status}, not 401`)
  }
  const deliveries: ReadonlyArray<readonly [what: string, body: string, list: string]> = [
    ["an order", ordered(1001), '["#1001"]'],
    ["the same event again", ordered(1001), '["#1001"]'],
    ["a test", ordered(1002, true), '["#1001"]'],
    ["a ping", event("evt_p", "ping", { message: "Hello" }, true), '["#1001"]'],
    ["a cancellation that comes before its order", cancelled(1003), '["#1001"]'],
    ["the order after its cancellation", ordered(1003), '["#1001"]'],
    ["another order", ordered(1004), '["#1001","#1004"]'],
    ["a cancellation of 33 MiB", cancelled(1001, large), '["#1004"]'],
  ]
  for (const [what, body, list] of deliveries) {
    const status = await send(body)
    expect(status >= 200 && status < 300, `A genuine delivery, ${what}, is answered with ${status}`)
    expect((await jobs()) === list, `After ${what} GET /jobs is ${await jobs()}, not ${list}`)
  }
  const { headers } = await fetch(`${url}/jobs`, { headers: { "accept-encoding": "gzip" } })
  expect(headers.get("content-encoding") === "gzip", "GET /jobs is not compressed for clients that accept gzip")

  // With another secret than the receiver has.
  const service = await attempt.service()
  await service.furnish()
  const { id } = await service.manage("POST", "/webhooks", { url: `${url}/hooks` })
  await service.order("1")
  const attempts = async () => (await service.manage("GET", `/webhooks/${id}/deliveries`)).data[0]?.attempts ?? []
  expect(await eventually(async () => (await attempts()).length > 0), "designwire's delivery has no attempt")
  const [{ responseStart, statusCode }] = await attempts()
  expect(statusCode === 401, `A delivery of designwire with another secret is answered with ${statusCode}, not 401`)
  expect(/[a-z]{3} [a-z]{2}/.test(responseStart), `The delivery log shows no reason: ${JSON.stringify(responseStart)}`)
}
