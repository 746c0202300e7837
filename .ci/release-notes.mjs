// Prints the section of CHANGELOG.md about a version, without its heading: `node .ci/release-notes.mjs v1.2.3`.
// Fails if there is none, or if its heading says that the version is not released yet.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"

const version = process.argv[2]?.replace(/^v/, "")
const sections = readFileSync(join(import.meta.dirname, "../CHANGELOG.md"), "utf8").split(/^## /m)
const section = sections.find((text) => text.split(/[,\s]/, 1)[0] === version)
if (section === undefined) throw new Error(`CHANGELOG.md has no section about ${version}`)
const [heading, ...lines] = section.split("\n")
if (/not released/.test(heading)) throw new Error(`CHANGELOG.md says: ${heading}`)
console.log(lines.join("\n").trim())
