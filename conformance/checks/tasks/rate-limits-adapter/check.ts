/** The conformance suite on the layer, and processes that count in one file at the same time. */
import { mkdirSync, statSync, writeFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import type { Attempt, Check } from "../Attempt.ts"
import { expect } from "../Program.ts"

/** Programs of the check, which have to be in the folder to find the package. */
const folder = ".check"

const suite = `
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { check, storage } from "designwire/conformance"
import { RateLimits } from "designwire/ports"
import { Effect } from "effect"
import { layer } from "../rate-limits.mts"

const { failed, passed } = await check(
  storage({
    ports: [RateLimits],
    open: Effect.sync(() => layer(join(mkdtempSync(join(tmpdir(), "rate-limits-")), "counts.db"))),
    lacks: { faults: "the check can't cut off a file" },
  }),
)
process.exitCode = failed === 0 && passed > 0 ? 0 : 1
`

const count = `
import { RateLimits } from "designwire/ports"
import { Effect } from "effect"
import { layer } from "../rate-limits.mts"

const [file, requests, limit, begin, minutes] = process.argv.slice(2)
const take = (now) =>
  RateLimits.use((limits) =>
    limits.take({ shop: "acme", tokenId: "one", now, rate: { limit: Number(limit), window: 60_000 } }),
  )
const all = Array.from({ length: Number(minutes) }, (_, minute) =>
  Array(Number(requests)).fill(take(Number(begin) + minute * 120_000)),
)
const decisions = await Effect.runPromise(Effect.provide(Effect.all(all.flat()), layer(file)))
console.log(\`accepted \${decisions.filter(({ accepted }) => accepted).length}\`)
`

const now = 1_790_000_000_000

const limit = 250

/** Bytes by which the file may grow with requests that no longer count. */
const room = 16_384

/** Runs a process that makes requests, in every second minute as many, and answers how many were accepted. */
const accepted = async (attempt: Attempt, file: string, requests: number, at = now, minutes = 1): Promise<number> => {
  const { stdout } = await attempt.run(`node ${folder}/count.mts '${file}' ${requests} ${limit} ${at} ${minutes}`)
  return Number(/^accepted (\d+)$/m.exec(stdout)?.[1])
}

export const check: Check = async (attempt) => {
  attempt.requireFile("rate-limits.mts")
  mkdirSync(join(attempt.directory, folder), { recursive: true })
  attempt.closing(() => rm(join(attempt.directory, folder), { recursive: true }))
  writeFileSync(join(attempt.directory, folder, "suite.mts"), suite)
  writeFileSync(join(attempt.directory, folder, "count.mts"), count)

  const program = attempt.start(`exec node ${folder}/suite.mts`)
  const { code } = await program.end()
  const failures = program.printed.split("\n").filter((line) => !/^(✓|- | {4}left out)/.test(line))
  expect(code === 0, `designwire's conformance suite finds:\n${failures.join("\n")}`)

  const file = join(await attempt.temporary(), "counts.db")
  const numbers = await Promise.all(Array.from({ length: 4 }, () => accepted(attempt, file, 100)))
  const sum = numbers.reduce((one, other) => one + other)
  expect(sum === limit, `Of 400 requests of four processes at once, with a limit of ${limit}, ${sum} were accepted`)
  const more = await accepted(attempt, file, 10)
  expect(more === 0, `A process that was started later accepted ${more} requests beyond the limit`)

  const size = (): number => statSync(file).size
  await accepted(attempt, file, limit, now + 3_600_000, 2)
  const before = size()
  const later = await accepted(attempt, file, limit, now + 7_200_000, 8)
  expect(later === 8 * limit, `Of ${limit} requests in each of 8 minutes, ${later} were accepted`)
  const grown = size() - before
  expect(grown <= room, `The file has grown by ${grown} bytes with requests of which only the last ${limit} count`)
}
