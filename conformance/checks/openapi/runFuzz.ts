/**
 * Sends 100,000 random requests that the OpenAPI documents lead to: `npm run fuzz`. `SEED` and `REQUESTS` change what
 * and how many.
 */
import { Effect } from "effect"
import { fuzz } from "./Fuzz.ts"

const seed = Number(process.env["SEED"] ?? 2026)
const requests = Number(process.env["REQUESTS"] ?? 100_000)
console.log(`SEED=${seed} REQUESTS=${requests} makes these requests again`)
const begin = performance.now()
const { problems, statuses } = await Effect.runPromise(fuzz(requests, seed))
const seconds = (performance.now() - begin) / 1000
for (const [status, count] of Object.entries(statuses).toSorted()) console.log(`  ${status}: ${count}`)
for (const { problem, request } of problems.slice(0, 20))
  console.log(`${problem}\n  ${JSON.stringify(request).slice(0, 1000)}`)
console.log(`${requests} requests in ${seconds.toFixed(1)} s, ${problems.length} problems`)
process.exit(problems.length > 0 ? 1 : 0)
