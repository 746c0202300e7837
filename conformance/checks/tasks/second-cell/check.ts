/** A service with two shops, and another one on the second database after the move. */
import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Check } from "../Attempt.ts"
import { expect } from "../Program.ts"
import { isSigned } from "../Receiver.ts"
import { eventually, type Json, Service } from "../Service.ts"

export const check: Check = async (attempt) => {
  attempt.requireFile("move.sh")
  const [FIRST, SECOND, receiver] = await Promise.all([attempt.postgres(), attempt.postgres(), attempt.receiver()])
  const [key = "", encryption = ""] = [24, 32].map((bytes) => randomBytes(bytes).toString("base64"))
  const keys = { DESIGNWIRE_MANAGE_KEY: key, DESIGNWIRE_ENCRYPTION_KEYS: encryption }
  const first = await Service.on(attempt, FIRST, keys)
  await first.furnish()
  await fetch(`${first.url}/manage/v1/shops/globex`, {
    ...{ method: "PUT", headers: { authorization: `Bearer ${first.key}` } },
    body: JSON.stringify({ domain: "globex.example.com", currency: "EUR", imageBase: "https://globex.example.com" }),
  })
  for (const id of ["1", "2"]) await first.order(id, { engraving: `Order ${id}` })
  const token = await first.token()
  const { secret } = await first.manage("POST", "/webhooks", { url: receiver.url })
  const paths = ["/orders?limit=100", "/orders/1", "/customizers/1"]
  const readAll = (service: Service) => Promise.all(paths.map((path) => service.read(path, token)))
  const before = await readAll(first)
  const cursor: string = JSON.parse((await first.read("/events?limit=100", token)).text).pagination.nextCursor

  await attempt.run("sh move.sh", { ...keys, FIRST, SECOND })
  const second = await Service.on(attempt, SECOND, keys)
  for (const [index, { status, text }] of (await readAll(second)).entries()) {
    expect(status === 200, `After the move GET ${paths[index]} of the second cell is answered with ${status}`)
    expect(text === before[index]?.text, `After the move GET ${paths[index]} of the second cell has another answer`)
  }
  const left = await first.read("/orders/1", token)
  expect(left.status !== 200, "After the move the first cell still serves acme")
  await second.order("3")
  expect(await eventually(() => receiver.received.length > 0), "The second cell delivers nothing")
  expect(
    receiver.received.every((one) => isSigned(one, secret)),
    "The second cell signs with another secret",
  )
  const feed: Json = JSON.parse((await second.read(`/events?after=${encodeURIComponent(cursor)}`, token)).text)
  expect(feed.data?.length === 2, `After a cursor from before, the second cell's feed has ${feed.data?.length} events`)
  const map = readFileSync(join(attempt.directory, "shops.map"), "utf8")
  for (const line of ["acme second;", "globex first;"]) {
    expect(map.replaceAll('"', "").includes(line), `shops.map has no line \`${line}\`:\n${map}`)
  }
  await attempt.run("sh move.sh", { ...keys, FIRST, SECOND })
  expect((await second.read("/orders/3", token)).status === 200, "Run again, move.sh has changed something")
}
