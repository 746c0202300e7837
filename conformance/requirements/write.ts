/** Writes `conformance/REQUIREMENTS.md`: `npm run requirements`. */
import { writeFileSync } from "node:fs"
import { page } from "./page.ts"

writeFileSync(new URL("../REQUIREMENTS.md", import.meta.url), page())
