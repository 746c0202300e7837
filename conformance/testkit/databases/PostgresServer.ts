/** One Postgres server for a whole run of the tests: vitest's `globalSetup`. */
import process from "node:process"
import type { TestProject } from "vitest/node"
import { startPostgres } from "./EmbeddedPostgres.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** URL of the run's Postgres server, with a user that may create databases. */
    readonly postgresUrl: string
  }
}

/** Starts a server, or uses the one in `TEST_DATABASE_URL`, and provides its URL to the tests. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env["TEST_DATABASE_URL"]
  if (given !== undefined && given !== "") {
    project.provide("postgresUrl", given)
    return undefined
  }
  const { stop, url } = await startPostgres()
  project.provide("postgresUrl", url)
  return stop
}
