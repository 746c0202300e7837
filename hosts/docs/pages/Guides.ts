/** The guides of the repository, in the order of the navigation. */
import { readFileSync } from "node:fs"
import { join, posix } from "node:path"

/** The root of the repository. */
export const root = join(import.meta.dirname, "../../..")

/** The headings of the navigation, each with its guides by their paths in the repository. */
export const groups: Readonly<Record<string, ReadonlyArray<string>>> = {
  "Use it": [
    "README.md",
    "hosts/cli/README.md",
    "core/WORDS.md",
    "core/DEFINITIONS.md",
    "core/FIELDS.md",
    "hosts/embed/README.md",
    "hosts/client/README.md",
    "hosts/receiver/README.md",
    "hosts/manage/README.md",
    "hosts/settings/README.md",
    "hosts/ingest/README.md",
    "hosts/ingest/ORDERS.md",
  ],
  "Operate it": [
    "hosts/cli/OPERATING.md",
    "hosts/cli/REFERENCE.md",
    "hosts/cli/RUNBOOK.md",
    "adapters/README.md",
    "adapters/cells/README.md",
  ],
  "Write your own": ["conformance/README.md", "conformance/ADAPTERS.md", "conformance/SERVICES.md"],
  "For coding agents": [
    "AGENTS.md",
    "skills/embed-designwire/SKILL.md",
    "skills/receive-designwire-webhooks/SKILL.md",
    "skills/write-designwire-storage-adapter/SKILL.md",
    "skills/operate-designwire/SKILL.md",
  ],
  Project: ["CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "conformance/bench/README.md"],
}

/** The text of a file of the repository. */
export const textOf = (file: string): string => readFileSync(join(root, file), "utf8")

/** The path of a guide's page: the folder of a README, or the name of another file in lower case. */
const pathOf = (file: string): string => {
  const { dir, name } = posix.parse(file)
  return name === "README" || name === "SKILL" ? dir : posix.join(dir, name.toLowerCase())
}

/** The path of each guide's page by the guide's path in the repository. */
export const guidePaths: ReadonlyMap<string, string> = new Map(
  Object.values(groups)
    .flat()
    .map((file) => [file, pathOf(file)]),
)
