/** One Postgres server for a whole run of the tests: vitest's `globalSetup`. */
import process from "node:process"
import { Effect, Exit, Redacted, Scope } from "effect"
import type { TestProject } from "vitest/node"
import { layerClient, migrate } from "../../../adapters/postgres/index.ts"
import { startPostgres } from "./EmbeddedPostgres.ts"
import { freshDatabaseOn } from "./FreshDatabase.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** URL of the run's Postgres server, with a user that may create databases. */
    readonly postgresUrl: string
    /** Name of a database with the schema, from which tests copy theirs. */
    readonly postgresTemplate: string
  }
}

/** The server in `TEST_DATABASE_URL`, or one of the run's own. */
const server = Effect.suspend(() => {
  const given = process.env["TEST_DATABASE_URL"] ?? ""
  if (given !== "") return Effect.succeed(given)
  const started = Effect.acquireRelease(
    Effect.promise(() => startPostgres()),
    ({ stop }) => Effect.promise(stop),
  )
  return Effect.map(started, ({ url }) => url)
})

/** Provides a server and the template to the tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const scope = Scope.makeUnsafe()
  await Effect.runPromise(
    Effect.gen(function* () {
      const url = yield* server
      const template = yield* freshDatabaseOn(url)
      yield* Effect.provide(migrate, layerClient({ url: Redacted.make(template), maxConnections: 1 }))
      project.provide("postgresUrl", url)
      project.provide("postgresTemplate", new URL(template).pathname.slice(1))
    }).pipe(Scope.provide(scope)),
  )
  return () => Effect.runPromise(Scope.close(scope, Exit.void))
}
