/** A receiver that takes its time, and orders that are placed all at once. */
import { setTimeout as pause } from "node:timers/promises"
import type { Attempt, Check } from "../Attempt.ts"
import { expect } from "../Program.ts"
import { isSigned, type Receiver } from "../Receiver.ts"
import { eventually, type Json, type Service } from "../Service.ts"

const orders = 12

/** Milliseconds that 12 attempts take at least, if at most 5 begin in a second: a little less than 11 times 200. */
const shortest = 2_000

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
const watch = async (service: Service, receiver: Receiver, first: number, when: string): Promise<void> => {
  receiver.received.splice(0)
  receiver.most = 0
  await Promise.all(Array.from({ length: orders }, (_, index) => service.order(`${first + index}`)))
  const cameAll = await eventually(() => receiver.received.length >= orders, 20_000)
  expect(receiver.most <= 1, `${when} the receiver had ${receiver.most} deliveries at the same time`)
  expect(cameAll, `${when} ${receiver.received.length} of ${orders} deliveries came within 20 seconds`)
  const times = receiver.received.map(({ at }) => at)
  const span = Math.max(...times) - Math.min(...times)
  expect(span >= shortest, `${when} the receiver got ${orders} deliveries within ${(span / 1000).toFixed(1)} seconds`)
}

export const check: Check = async (attempt) => {
  const [service, receiver] = await Promise.all([attempt.service(), attempt.receiver()])
  receiver.answer = async () => {
    await pause(60)
    return { status: 204 }
  }
  await service.furnish()
  const { id, secret } = await register(attempt, service, receiver)
  expect(typeof secret === "string", "The line of a new endpoint has no `secret`")
  await watch(service, receiver, 1, "Right after the registration")

  // As if an earlier version had registered it.
  await service.manage("DELETE", `/webhooks/${id}`)
  const older = await service.manage("POST", "/webhooks", { url: receiver.url, description: "wms" })
  const again = await register(attempt, service, receiver)
  const { length } = (await service.manage("GET", "/webhooks")).data
  expect(length === 1, `After a second registration the store has ${length} endpoints for one receiver`)
  expect(again.id === older.id, `The line of the second registration has the id ${again.id}, not ${older.id}`)
  await watch(service, receiver, 101, "After the registration of an existing endpoint")
  const isOld = receiver.received.every((received) => isSigned(received, older.secret))
  expect(isOld, "The second registration has changed the signing secret of the endpoint")
}
