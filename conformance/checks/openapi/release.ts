/**
 * Keeps the documents of a release, which later ones are compared with: `npm run openapi:release`, once for each
 * release, after its version is set.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import manifest from "../../../package.json" with { type: "json" }
import { plainDocuments } from "./Documents.ts"

const folder = new URL("./released/", import.meta.url)
mkdirSync(folder, { recursive: true })
for (const [name, document] of Object.entries(plainDocuments)) {
  writeFileSync(
    new URL(`${name}.json`, folder),
    `${JSON.stringify({ version: manifest.version, document }, null, 2)}\n`,
  )
}
