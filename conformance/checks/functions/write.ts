/** Writes the types of functions and of queries: `npm run functions`. */
import { writeFileSync } from "node:fs"
import { modules } from "./Functions.ts"

for (const [file, text] of Object.entries(modules())) writeFileSync(file, text)
