/** A service that is in use before it moves, and afterwards. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { freePort } from "../../../testkit/processes/FreePort.ts"
import type { Attempt, Check } from "../Attempt.ts"
import { expect } from "../Program.ts"
import { isSigned } from "../Receiver.ts"
import { eventually, type Json, local, Service } from "../Service.ts"

const data = ".designwire"

/** A store with some orders. */
export const prepare = async (attempt: Attempt): Promise<void> => {
  const service = await attempt.service({}, join(attempt.directory, data))
  await service.furnish()
  for (const id of ["1", "2", "3"]) await service.order(id, { engraving: `Order ${id}` })
  await service.program.kill("SIGTERM")
}

/** The id of an order that nothing else has. */
const newId = (): string => `${Date.now()}${Math.floor(Math.random() * 1_000)}`

const feedAfter = async (service: Service, token: string, cursor?: string): Promise<Json> => {
  const after = cursor === undefined ? "latest" : encodeURIComponent(cursor)
  const { status, text } = await service.read(`/events?limit=100&after=${after}`, token)
  expect(status === 200, `After the move, a cursor of the event feed from before is answered with ${status}`)
  return JSON.parse(text)
}

export const check: Check = async (attempt) => {
  const [url, receiver] = await Promise.all([attempt.postgres(), attempt.receiver()])
  const { scripts = {} } = JSON.parse(readFileSync(join(attempt.directory, "package.json"), "utf8"))
  expect("move" in scripts, "package.json has no script `move`")

  // In use, with a delivery that could not be made.
  const before = await attempt.service({}, join(attempt.directory, data))
  const token = await before.token()
  const { id: endpoint, secret } = await before.manage("POST", "/webhooks", { url: receiver.url })
  receiver.answer = async () => ({ status: 503 })
  const pending = newId()
  await before.order(pending)
  expect(await eventually(() => receiver.received.length > 0), "The embedded service delivers nothing")
  const paths = ["/orders?limit=100", `/orders/${pending}`, "/customizers/1"]
  const readAll = (service: Service) => Promise.all(paths.map((path) => service.read(path, token)))
  const [answers, { pagination }] = [await readAll(before), await feedAfter(before, token)]
  await before.program.kill("SIGTERM")

  await attempt.run("npm run --silent move", { DATABASE_URL: url })
  const key = readFileSync(join(attempt.directory, data, "manage-key"), "utf8").trim()
  const start = async (): Promise<Service> => {
    const port = await freePort()
    const program = attempt.start("exec npm start --silent", { ...local, DATABASE_URL: url, PORT: `${port}` })
    await program.listensAt(port)
    return new Service(program, `http://127.0.0.1:${port}`, key)
  }
  const [after, other] = [await start(), await start()]

  for (const [index, { status, text }] of (await readAll(after)).entries()) {
    const request = `After the move GET ${paths[index]}, with a token from before,`
    expect(status === 200, `${request} is answered with ${status}`)
    expect(text === answers[index]?.text, `${request} has another answer than before`)
  }
  const manages = await after.manage("GET", "/webhooks").then(
    ({ data: endpoints }: Json) => endpoints.some(({ id }: Json) => id === endpoint),
    () => false,
  )
  expect(manages, "After the move the management API does not list the endpoint, with the management key from before")

  receiver.answer = async () => ({ status: 204 })
  receiver.received.splice(0)
  const log: ReadonlyArray<Json> = (await after.manage("GET", `/webhooks/${endpoint}/deliveries`)).data
  const waiting = log.find(({ status }) => status === "pending")
  expect(waiting !== undefined, "After the move the delivery that was pending before is not pending")
  await after.manage("POST", `/webhooks/${endpoint}/deliveries/${waiting.id}/try`)
  const order = newId()
  await other.order(order)
  const cameBoth = await eventually(() => receiver.received.length >= 2)
  expect(cameBoth, `After the move ${receiver.received.length} of 2 deliveries came: of a pending one and a new order`)
  const isOld = receiver.received.every((received) => isSigned(received, secret))
  expect(isOld, "After the move deliveries are signed with another secret than before")

  const events: ReadonlyArray<Json> = (await feedAfter(other, token, pagination.nextCursor)).data
  const kinds = events.map(({ data: { design } }) => `${design.id} ${design.status}`).join(", ")
  const expected = `design-${order} draft, design-${order} ordered`
  expect(kinds === expected, `After the move the feed has, after a cursor from before: ${kinds || "nothing"}`)
  // The data directory has room for one process: it is free.
  await attempt.service({}, join(attempt.directory, data))
}
