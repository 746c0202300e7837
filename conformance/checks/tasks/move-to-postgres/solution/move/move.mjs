/** Copies the embedded database in `.designwire` into the database at `DATABASE_URL`. */
import process from "node:process"
import { PGlite } from "@electric-sql/pglite"
import { pgDump } from "@electric-sql/pglite-tools/pg_dump"
import pg from "pg"

const embedded = await PGlite.create(".designwire/pgdata")
const dump = await pgDump({ pg: embedded, args: ["--schema=designwire", "--no-owner", "--inserts"] })
await embedded.close()

const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
await client.connect()
await client.query("BEGIN")
// Servers before Postgres 17 don't know this setting.
await client.query((await dump.text()).replace("SET transaction_timeout = 0;", ""))
await client.query("COMMIT")
await client.end()
