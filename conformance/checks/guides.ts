/** Writes what guides have from declarations: `npm run guides`. */
import { readFileSync, writeFileSync } from "node:fs"
import { withSettings } from "../testkit/SettingsTable.ts"

const guide = new URL("../../hosts/cli/README.md", import.meta.url)
writeFileSync(guide, withSettings(readFileSync(guide, "utf8")))
