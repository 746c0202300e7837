/** A service that burns down after its backup, and readers that have seen what is lost. */
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { freePort } from "../../../testkit/processes/FreePort.ts"
import type { Attempt, Check } from "../Attempt.ts"
import { expect } from "../Program.ts"
import { isSigned } from "../Receiver.ts"
import { eventually, type Json, local, Service } from "../Service.ts"

export const needs = ["psql"]

/** The state that a check compares with, which lies in the folder: those who do the task need not look at it. */
const known = ".known.json"

const dump = `import { PGlite } from "@electric-sql/pglite"
import { pgDump } from "@electric-sql/pglite-tools/pg_dump"
import { writeFileSync } from "node:fs"
const pg = await PGlite.create(".before/pgdata")
const file = await pgDump({ pg, args: ["--schema=designwire", "--no-owner", "--inserts"] })
writeFileSync("backup.sql", (await file.text()).replace(/^\\\\\\\\(un)?restrict .*$/gm, ""))
await pg.close()`

const cursorOf = async (service: Service, token: string, after = ""): Promise<Json> =>
  JSON.parse((await service.read(`/events?limit=100${after && `&after=${encodeURIComponent(after)}`}`, token)).text)

export const prepare = async (attempt: Attempt): Promise<void> => {
  const file = (name: string): string => join(attempt.directory, name)
  let service = await attempt.service({}, file(".before"))
  await service.furnish()
  for (const id of ["1", "2"]) await service.order(id)
  const design = { customizerId: 1, basePrice: 12_900, selection: { metal: "gold" } }
  for (const id of ["design-3", "design-4"]) await service.manage("PUT", `/designs/${id}`, design)
  const token = await service.token()
  const { id: endpoint, secret } = await service.manage("POST", "/webhooks", { url: "http://127.0.0.1:8099/hooks" })
  await service.manage("POST", `/webhooks/${endpoint}/pause`)
  await service.program.kill("SIGTERM")
  writeFileSync(file("dump.mjs"), dump)
  await attempt.run("node dump.mjs")

  service = await attempt.service({}, file(".before"))
  const orders = ["3", "4"].map((id) => {
    const lines = [{ designId: `design-${id}`, lineItemId: "1" }]
    return { id, name: `#${id}`, orderedAt: "2026-11-21T12:00:00Z", lines }
  })
  for (const { id, ...order } of orders) await service.manage("PUT", `/orders/${id}`, order)
  const { pagination } = await cursorOf(service, token)
  await service.program.kill("SIGTERM")
  const encryption = readFileSync(file(".before/encryption-key"), "utf8").trim()
  const keys = `DESIGNWIRE_MANAGE_KEY=${service.key}\nDESIGNWIRE_ENCRYPTION_KEYS=${encryption}\n`
  writeFileSync(file("keys.env"), keys)
  writeFileSync(file("orders.json"), JSON.stringify(orders))
  writeFileSync(file(known), JSON.stringify({ token, endpoint, secret, cursor: pagination.nextCursor }))
  for (const name of ["dump.mjs", ".before"]) rmSync(file(name), { recursive: true })
}

export const check: Check = async (attempt) => {
  for (const name of ["restore.sh", "start.sh", "again.sh"]) attempt.requireFile(name)
  const { cursor, endpoint, secret, token } = JSON.parse(readFileSync(join(attempt.directory, known), "utf8"))
  const [url, receiver, port] = [await attempt.postgres(), await attempt.receiver(), await freePort()]
  await attempt.run("sh restore.sh", { DATABASE_URL: url })
  const program = attempt.start("exec sh start.sh", { ...local, DATABASE_URL: url, PORT: `${port}` })
  await program.listensAt(port)
  const [, key = ""] =
    /^DESIGNWIRE_MANAGE_KEY=(.*)$/m.exec(readFileSync(join(attempt.directory, "keys.env"), "utf8")) ?? []
  const service = new Service(program, `http://127.0.0.1:${port}`, key)
  const read = await service.read("/orders/2", token)
  expect(read.status === 200, `After the restore an order, with a token from before, is answered with ${read.status}`)
  await service.manage("PATCH", `/webhooks/${endpoint}`, { url: receiver.url })
  await service.manage("POST", `/webhooks/${endpoint}/enable`)
  await attempt.run("sh again.sh", { SERVICE: service.url })
  for (const id of ["3", "4"]) {
    const { status } = await service.read(`/orders/${id}`, token)
    expect(status === 200, `The order ${id}, which is later than the dump, is answered with ${status}`)
  }
  expect(await eventually(() => receiver.received.length >= 2), "The restored service delivers nothing")
  expect(
    receiver.received.every((one) => isSigned(one, secret)),
    "Deliveries are signed with another secret than before",
  )
  const page = await cursorOf(service, token, cursor)
  const orders = (page.data ?? []).map(({ data }: Json) => data.design?.order?.id).join(", ")
  expect(
    orders === "3, 4",
    `After a cursor from before the fire, a reader gets the orders ${orders || JSON.stringify(page)}`,
  )
}
