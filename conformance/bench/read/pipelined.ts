/** Designs over `node:http`, from four clients of `pg`'s in turn: each sends statements without waiting for results. */
import pg from "pg"
import { setting } from "../support/Child.ts"
import { serveDesigns } from "./DesignServer.ts"

const clients = Array.from({ length: 4 }, () => {
  return new pg.Client({ connectionString: setting("DATABASE_URL"), pipeline: true })
})
await Promise.all(clients.map((client) => client.connect()))

let turn = 0
serveDesigns((statement) => (clients[turn++ % clients.length] as pg.Client).query(statement))
