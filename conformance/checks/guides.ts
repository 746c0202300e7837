/** Writes what guides have from declarations: `npm run guides`. */
import { readFileSync, writeFileSync } from "node:fs"
import { withDefinitionTables } from "../testkit/DefinitionTables.ts"
import { withSettings } from "../testkit/SettingsTable.ts"

const written = [
  { path: "hosts/cli/README.md", withTables: withSettings },
  { path: "core/DEFINITIONS.md", withTables: withDefinitionTables },
]

for (const { path, withTables } of written) {
  const guide = new URL(`../../${path}`, import.meta.url)
  writeFileSync(guide, withTables(readFileSync(guide, "utf8")))
}
