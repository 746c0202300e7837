/** A shop of WooCommerce, three of whose orders are not made, each for another reason. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Attempt, Check } from "../Attempt.ts"
import { expect } from "../Program.ts"
import { eventually, type Json } from "../Service.ts"
import { orderOf, sendOrder } from "../Site.ts"

const secret = "the-secret-of-the-site"

const definition = {
  ...{ schemaVersion: 1, steps: [{ id: "a", title: "A", view: "front" }], rules: [] },
  questions: [{ id: "text", step: "a", title: "Text", type: "text" }],
}

export const prepare = async (attempt: Attempt): Promise<void> => {
  const data = join(attempt.directory, ".designwire")
  const retries = { DESIGNWIRE_RETRY_SCHEDULE: "10ms,10ms", DESIGNWIRE_WOOCOMMERCE_SECRET: secret }
  const [service, workshop] = [await attempt.service(retries, data), await attempt.receiver()]
  await service.furnish()
  const site = "https://acme.example.com"
  await service.manage("PUT", "/customizers/7", {
    title: "Mug",
    platformProductId: "gid://acme/Product/7",
    assetBase: site,
  })
  await service.manage("POST", "/customizers/7/publish", { definition })
  await service.manage("POST", "/webhooks", { url: workshop.url, description: "workshop", customizers: [1] })
  const save = (id: string, customizerId: number) =>
    service.manage("PUT", `/designs/${id}`, {
      ...{ customizerId, basePrice: 900 },
      selection: customizerId === 1 ? { metal: "gold" } : {},
    })
  const send = async (id: number, design: string, status?: string) => {
    const order = orderOf(id, design, status === undefined ? {} : { status })
    await sendOrder(`${service.url}/ingest/woocommerce/acme`, secret, order, "acme.example.com")
  }
  const [unpaid = 0, waiting = 0, unwanted = 0] = [501, 502, 503].toSorted(() => Math.random() - 0.5)
  for (const id of ["d-1", `d-${unpaid}`]) await save(id, 1)
  await save(`d-${unwanted}`, 7)
  await send(490, "d-1")
  await eventually(() => workshop.received.length > 0)
  await send(unpaid, `d-${unpaid}`, "on-hold")
  await send(waiting, `cart-${Math.floor(Math.random() * 1_000_000)}`)
  await send(unwanted, `d-${unwanted}`)
  await service.program.kill("SIGTERM")
}

/** What really happened, from the shop itself. */
const truthOf = async (attempt: Attempt): Promise<Json> => {
  const service = await attempt.service({}, join(attempt.directory, ".designwire"))
  const { data: events }: Json = await service.manage("GET", "/inbox")
  const truth: Record<string, Json> = {}
  for (const { designId, orderId, state } of events) {
    if (orderId === "490") continue
    if (state === "waiting") truth[`#${orderId}`] = { why: "no_design", detail: designId }
    else if (state === "applied") truth[`#${orderId}`] = { why: "not_wanted", detail: 7 }
    else truth[`#${orderId}`] = { why: "unpaid", detail: null }
  }
  await service.program.kill("SIGTERM")
  return truth
}

export const check: Check = async (attempt) => {
  attempt.requireFile("answer.json")
  const truth = await truthOf(attempt)
  expect(Object.keys(truth).length === 3, `The shop has changed: ${JSON.stringify(truth)}. Prepare the task again`)
  const answer: Json = JSON.parse(readFileSync(join(attempt.directory, "answer.json"), "utf8"))
  for (const [name, { detail, why }] of Object.entries<Json>(truth)) {
    const given = answer[name]
    const isRight = given?.why === why && (given?.detail ?? null) === detail
    expect(isRight, `${name} of answer.json is not right: ${JSON.stringify(given)}`)
  }
}
