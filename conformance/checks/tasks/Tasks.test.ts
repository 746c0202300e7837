/** Each task: its check says that the files to begin from don't do it, and that its solution does. */
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { afterAll, beforeAll, expect, inject, it } from "vitest"
import { unique } from "../../suites/storage/support/Fixtures.ts"
import { freePort } from "../../testkit/processes/FreePort.ts"
import { Attempt } from "./Attempt.ts"
import { bundlePackage } from "./Bundled.ts"
import { copyFiles, finish, linkPackages } from "./Folder.ts"
import { Missing } from "./Program.ts"
import { folderOf, names, taskOf } from "./Tasks.ts"

let own = ""
let directory = ""

beforeAll(async () => {
  own = await bundlePackage()
  directory = mkdtempSync(join(tmpdir(), "designwire-tasks-"))
})

afterAll(() => {
  for (const path of [own, directory]) rmSync(path, { recursive: true, force: true })
})

/** A database of its own on the server of the run. */
const database = async () => {
  const url = new URL(inject("postgresUrl"))
  const client = new pg.Client({ connectionString: url.href })
  url.pathname = `/task_${unique()}`
  await client.connect()
  await client.query(`CREATE DATABASE "${url.pathname.slice(1)}" TEMPLATE template0`)
  await client.end()
  return { url: url.href, stop: async () => {} }
}

/** What a folder lacks, `undefined` if nothing. */
const lacks = async (name: string, path: string): Promise<string | undefined> => {
  const { check } = await taskOf(name)
  const attempt = new Attempt(path, database)
  try {
    // Some tasks ask for files that nobody can write in advance.
    for (const [file, command] of [
      ["solve.mjs", "node"],
      ["solve.sh", "sh"],
    ] as const) {
      if (existsSync(join(path, file))) await attempt.run(`${command} ${file}`, { PORT: `${await freePort()}` })
    }
    await check(attempt)
    return undefined
  } catch (error) {
    if (error instanceof Missing) return error.message
    throw error
  } finally {
    await attempt.close()
  }
}

const needs = new Map(await Promise.all(names.map(async (name) => [name, (await taskOf(name)).needs ?? []] as const)))
const isMissing = (program: string): boolean => spawnSync("sh", ["-c", `command -v ${program}`]).status !== 0
const missing = new Set([...needs.values()].flat().filter(isMissing))
if (missing.size > 0) console.log(`Left out: tasks that need ${[...missing].join(", ")}`)

/** The beginning of what the check of each task says about the files to begin from. */
const notYet: Readonly<Record<string, RegExp>> = {
  "certify-python": /^There is no file `report.json`/,
  "connect-platform": /^There is no file `connect.sh`/,
  "erp-quantities": /^After the first run the table has no row #1001 0 1001-0 1 AG925/,
  "export-production-data": /^production.csv has no column design_id/,
  "feed-into-sqlite": /^`exec node mirror.mts` has ended before an event of the shop is in the file/,
  "german-frame": /^There is no file `office.mts`/,
  "level-1-service": /^There is no file `start.sh`/,
  "move-to-postgres": /^package.json has no script `move`/,
  "not-in-production": /^There is no file `answer.json`/,
  "own-transaction": /^The first start printed no line of JSON/,
  pace: /^Right after the registration the receiver had \d deliveries at the same time/,
  "php-behind-nginx": /^A delivery that has no signature is answered with 204, not 401/,
  "rate-limits-adapter": /^designwire.s conformance suite finds:/,
  "restore-backup": /^There is no file `restore.sh`/,
  "rotate-secret": /^`node rotate.mts` ended with 1/,
  "second-cell": /^There is no file `move.sh`/,
  "switched-off": /^There is no file `answer.json`/,
  "trace-order": /^There is no file `start.sh`/,
  "verify-in-go": /^A delivery that has no signature is answered with 204, not 401/,
  "write-definition": /^There is no file `definition.json`/,
}

it("MUST be twenty tasks, and say what each of them lacks at its beginning", () => {
  expect(names).toEqual(Object.keys(notYet).toSorted())
})

for (const name of names) {
  it.runIf(needs.get(name)?.every((program) => !missing.has(program)))(
    `MUST say what the files to begin from lack, and accept the solution: ${name}`,
    async () => {
      const path = join(directory, name)
      copyFiles(name, path)
      await linkPackages(path, own)
      await finish(name, path)
      expect(await lacks(name, path)).toMatch(notYet[name] as RegExp)
      cpSync(folderOf(name, "solution"), path, { recursive: true })
      await linkPackages(path, own)
      expect(await lacks(name, path)).toBeUndefined()
    },
  )
}
