/** Writes what guides have from declarations: `npm run guides`. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { readWritten, writtenGuides } from "../testkit/WrittenGuides.ts"

for (const guide of writtenGuides) {
  const [, text] = readWritten(guide)
  writeFileSync(join(import.meta.dirname, "../..", guide.path), text)
}
