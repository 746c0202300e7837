/**
 * Checks the OpenAPI documents with linters and with generators of clients: `npm run check:openapi`. Needs the npm
 * registry at the first run.
 */
import { generators, problemsOf } from "./Clients.ts"
import { type ApiName, documents } from "./Documents.ts"
import { linters } from "./Linters.ts"
import { prepare } from "./Tools.ts"

prepare()
let failed = 0
for (const api of Object.keys(documents) as ReadonlyArray<ApiName>) {
  console.log(`${api}: ${Buffer.byteLength(JSON.stringify(documents[api]))} bytes`)
  for (const [name, lint] of Object.entries(linters)) {
    const findings = lint(api)
    console.log(`  ${name}: ${findings.length} findings`)
    for (const { message, rule, where } of findings) console.log(`    ${rule} at ${where}: ${message}`)
    failed += findings.length
  }
  for (const name of Object.keys(generators)) {
    const problems = problemsOf(name, api)
    console.log(`  ${name}: ${problems === undefined ? "the client compiles" : `failed\n${problems}`}`)
    if (problems !== undefined) failed++
  }
}
if (failed > 0) process.exitCode = 1
