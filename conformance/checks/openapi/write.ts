/** Writes the examples of the OpenAPI documents: `npm run openapi`. */
import { writeFileSync } from "node:fs"
import { Effect } from "effect"
import { makeExamples } from "./Sample.ts"

const { manage, rest } = await Effect.runPromise(makeExamples)
writeFileSync(new URL("../../../core/api/examples.json", import.meta.url), `${JSON.stringify(rest, null, 2)}\n`)
writeFileSync(new URL("../../../hosts/manage/examples.json", import.meta.url), `${JSON.stringify(manage, null, 2)}\n`)
