/** Mirrors the events and orders of a store in a SQLite file. */
import process from "node:process"
import { DatabaseSync } from "node:sqlite"
import { createClient } from "designwire/client"

const { API_URL = "", FILE = "mirror.db", TOKEN = "" } = process.env

const database = new DatabaseSync(FILE)
database.exec(`
  CREATE TABLE IF NOT EXISTS events (position INTEGER PRIMARY KEY, id TEXT NOT NULL, kind TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, name TEXT NOT NULL, status TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS cursor (one INTEGER PRIMARY KEY CHECK (one = 1), value TEXT NOT NULL);
`)

const addEvent = database.prepare("INSERT INTO events (id, kind) VALUES (?, ?)")
const putOrder = database.prepare("INSERT OR REPLACE INTO orders (id, name, status) VALUES (?, ?, ?)")
const setCursor = database.prepare("INSERT OR REPLACE INTO cursor (one, value) VALUES (1, ?)")

const client = createClient({ url: API_URL, token: TOKEN })
const kept = database.prepare("SELECT value FROM cursor").get() as { value: string } | undefined

for await (const { cursor, events } of client.events.follow({ after: kept?.value })) {
  database.exec("BEGIN IMMEDIATE")
  for (const event of events) {
    addEvent.run(event.id, event.event)
    if (event.event === "design.ordered" && event.data.design.order !== null) {
      const { id, name } = event.data.design.order
      putOrder.run(id, name, "ordered")
    }
    if (event.event === "order.cancelled") putOrder.run(event.data.order.id, event.data.order.name, "cancelled")
  }
  setCursor.run(cursor)
  database.exec("COMMIT")
}
