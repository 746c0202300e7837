/** A store with an endpoint that was switched off, among others that fail, are paused, or failed long ago. */
import { chmodSync, cpSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Attempt, Check } from "../Attempt.ts"
import { expect } from "../Program.ts"
import type { Answer, Receiver } from "../Receiver.ts"
import { eventually, type Json, type Service } from "../Service.ts"

const data = ".designwire"

/** Deliveries of 7 attempts each. */
const retries = { DESIGNWIRE_RETRY_SCHEDULE: "10ms,10ms,10ms,10ms,10ms,10ms" }

const drawn = (limit: number): number => Math.floor(Math.random() * limit)

/** An error that passed, then success, then the one that stays. */
const erp = (statusCode: number, code: string): Answer => {
  let attempts = 0
  return async () => {
    attempts++
    if (attempts <= 2) return { status: 503, text: '{"error":"ERP-0503","text":"The ERP is updated"}' }
    if (attempts <= 4) return { status: 204 }
    return { status: statusCode, text: JSON.stringify({ error: code, text: "The request is not accepted" }) }
  }
}

const statusOf = async (service: Service, id: string): Promise<string> =>
  (await service.manage("GET", `/webhooks/${id}`)).status

export const prepare = async (attempt: Attempt): Promise<void> => {
  const service = await attempt.service(retries, join(attempt.directory, data))
  await service.furnish()
  const [mails, wms, shop] = await Promise.all([attempt.receiver(), attempt.receiver(), attempt.receiver()])
  const endpoint = async ({ url }: Receiver, description: string): Promise<string> =>
    (await service.manage("POST", "/webhooks", { url, description })).id
  const ids = [await endpoint(wms, "wms"), await endpoint(shop, "shop"), await endpoint(mails, "mails")] as const

  // One fails now and then, and one was paused by its owner while it failed.
  let tries = 0
  wms.answer = async () => ({ status: tries++ % 5 === 0 ? 204 : 500, text: "WMS-0500" })
  mails.answer = async () => ({ status: 410, text: "MAILS-0410" })
  await service.order("1")
  await eventually(() => mails.received.length > 2)
  await service.manage("POST", `/webhooks/${ids[2]}/pause`)

  const broken = [400, 401, 403, 409, 422][drawn(5)] ?? 403
  shop.answer = erp(broken, `ERP-${1_000 + drawn(9_000)}`)
  for (let order = 2; (await statusOf(service, ids[1])) !== "switched_off"; order++) {
    await service.order(`${order}`)
    const count = shop.received.length
    await eventually(() => shop.received.length > count, 500)
  }
  await service.program.kill("SIGTERM")
}

/** What really happened, from a copy of the store. */
const truthOf = async (attempt: Attempt): Promise<Json> => {
  const copy = join(await attempt.temporary(), "data")
  cpSync(join(attempt.directory, data), copy, { recursive: true, filter: (path) => !path.endsWith("socket") })
  // The copy has its files' modes, and not its own.
  chmodSync(copy, 0o700)
  const service = await attempt.service(retries, copy)
  const endpoints: ReadonlyArray<Json> = (await service.manage("GET", "/webhooks")).data
  const off = endpoints.find(({ status }) => status === "switched_off")
  expect(off !== undefined, `No endpoint is switched off in ${data} any more: prepare the task again`)
  const deliveries: ReadonlyArray<Json> = (await service.manage("GET", `/webhooks/${off.id}/deliveries`)).data
  const attempts: ReadonlyArray<Json> = deliveries.flatMap((delivery) => delivery.attempts)
  const last = attempts.toSorted((one, other) => one.at.localeCompare(other.at)).at(-1)
  const { error } = JSON.parse(last.responseStart)
  const { consecutiveFailures: failures, id, switchedOffAt, url } = off
  return { endpoint: id, url, switchedOffAt, statusCode: last.statusCode, code: error, failures }
}

export const check: Check = async (attempt) => {
  attempt.requireFile("answer.json")
  const truth = await truthOf(attempt)
  let answer: Json
  try {
    answer = JSON.parse(readFileSync(join(attempt.directory, "answer.json"), "utf8"))
  } catch {
    expect(false, "`answer.json` is not JSON")
  }
  for (const [name, value] of Object.entries(truth)) {
    const given = answer[name]
    const isRight = name === "switchedOffAt" ? Date.parse(given) === Date.parse(truth[name]) : given === value
    expect(isRight, `\`${name}\` of answer.json is not right: ${JSON.stringify(given)}`)
  }
}
