/** What the manifest puts into the package, against what its guides name. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import manifest from "../../../package.json" with { type: "json" }

const root = join(import.meta.dirname, "../../..")

const patterns = manifest.files.map((pattern) => pattern.replace(/^!/, ""))
const left = manifest.files.filter((pattern) => pattern.startsWith("!"))

/** The files that npm packs, without those of the build. */
const packed = globSync(
  patterns.filter((_, index) => !left.includes(manifest.files[index] ?? "")).flatMap((path) => [path, `${path}/**`]),
  { cwd: root, exclude: ["dist/**", "**/node_modules/**", ...left.map((pattern) => pattern.slice(1))] },
)

const isPacked = (path: string): boolean =>
  packed.some((file) => file === path || file.startsWith(`${path.replace(/\/$/, "")}/`))

const guides = packed.filter((path) => path.endsWith(".md") && path !== "CHANGELOG.md")

/** Paths of the repository in the text of a guide, outside of blocks of code. */
const named = (text: string): ReadonlyArray<string> =>
  [...text.replaceAll(/^(`{3,}).*?^\1$/gms, "").matchAll(/`((?:adapters|core|hosts|skills)\/[\w@./-]+)`/g)].map(
    ([, path = ""]) => path,
  )

it("MUST have the files that its guides name", () => {
  expect(guides.length).toBeGreaterThan(15)
  expect(named("Run `hosts/cli/deploy/none.yaml`")).toEqual(["hosts/cli/deploy/none.yaml"])
  const missing = guides.flatMap((guide) =>
    named(readFileSync(join(root, guide), "utf8"))
      .filter((path) => !isPacked(path))
      .map((path) => `${guide}: ${path}`),
  )
  expect(missing).toEqual([])
})

it("MUST have what operators deploy and what finders of a fault look for", () => {
  const deploy = ["compose.yaml", "grafana", "helm", "prometheus/rules.yml", "systemd/designwire@.service"]
  expect(
    [...deploy.map((path) => `hosts/cli/deploy/${path}`), "SECURITY.md"].filter((path) => !isPacked(path)),
  ).toEqual([])
  expect(isPacked("hosts/cli/deploy/prometheus/rules.test.yml")).toBe(false)
})

it("MUST have no script that npm runs, or warns of, where the package is installed", () => {
  const scripts = new Set(Object.keys(manifest.scripts))
  expect(["preinstall", "install", "postinstall", "prepare"].filter((name) => scripts.has(name))).toEqual([])
})
