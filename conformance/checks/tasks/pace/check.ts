/** A receiver that takes its time, and orders that are placed all at once. */
import { setTimeout as pause } from "node:timers/promises"
import type { Attempt, Check } from "../Attempt.ts"
import { expect } from "../Program.ts"
import { isSigned, type Receiver } from "../Receiver.ts"
import { eventually, type Json, type Service } from "../Service.ts"

const orders = 12

/** Deliveries that are answered at once, so that only the pace holds back the next one. Later ones take a while. */
const quick = 8

/** At most 5 attempts begin in a second, by the clock of the worker, give or take these milliseconds. */
const [perSecond, tolerance] = [5, 20]

const register = async (attempt: Attempt, service: Service, receiver: Receiver): Promise<Json> => {
  const { stdout } = await attempt.run("node register.mts", {
    MANAGE_URL: `${service.url}/manage/v1/shops/${service.shop}`,
    MANAGE_KEY: service.key,
    RECEIVER_URL: receiver.url,
  })
  const line = stdout.split("\n").findLast((text) => text.startsWith("{"))
  expect(line !== undefined, "`node register.mts` printed no line of JSON")
  return JSON.parse(line)
}

/** Places orders, and looks at what the receiver gets. */
const watch = async (service: Service, receiver: Receiver, id: string, from: number, when: string): Promise<void> => {
  receiver.received.splice(0)
  receiver.most = 0
  await Promise.all(Array.from({ length: orders }, (_, index) => service.order(`${from + index}`)))
  const cameAll = await eventually(() => receiver.received.length >= orders, 30_000)
  expect(receiver.most <= 1, `${when} the receiver had ${receiver.most} deliveries at the same time`)
  expect(cameAll, `${when} ${receiver.received.length} of ${orders} deliveries came within 30 seconds`)
  const { data } = await service.manage("GET", `/webhooks/${id}/deliveries`)
  const attempts: ReadonlyArray<Json> = data.slice(0, orders).flatMap((delivery: Json) => delivery.attempts)
  const times = attempts.map(({ at }) => Date.parse(at)).toSorted((one, other) => one - other)
  for (const [index, time] of times.slice(perSecond).entries()) {
    const span = time - (times[index] ?? 0)
    expect(
      span >= 1_000 - tolerance,
      `${when} the receiver got ${perSecond + 1} deliveries within ${span} milliseconds`,
    )
  }
}

export const check: Check = async (attempt) => {
  const [service, receiver] = await Promise.all([attempt.service(), attempt.receiver()])
  receiver.answer = async () => {
    if (receiver.received.length > quick) await pause(450)
    return { status: 204 }
  }
  await service.furnish()
  const { id, secret } = await register(attempt, service, receiver)
  expect(typeof secret === "string", "The line of a new endpoint has no `secret`")
  await watch(service, receiver, id, 1, "Right after the registration")

  // As if an earlier version had registered it.
  await service.manage("DELETE", `/webhooks/${id}`)
  const older = await service.manage("POST", "/webhooks", { url: receiver.url, description: "wms" })
  const again = await register(attempt, service, receiver)
  const { length } = (await service.manage("GET", "/webhooks")).data
  expect(length === 1, `After a second registration the store has ${length} endpoints for one receiver`)
  expect(again.id === older.id, `The line of the second registration has the id ${again.id}, not ${older.id}`)
  await watch(service, receiver, older.id, 101, "After the registration of an existing endpoint")
  const isOld = receiver.received.every((received) => isSigned(received, older.secret))
  expect(isOld, "The second registration has changed the signing secret of the endpoint")
}
