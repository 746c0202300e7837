// Brings the Node that the project runs on into a checkout whose machine has another major version: into
// node_modules/.bin, which npm's commands put first in the path. `npm ci` ends with it. Of npm's package of Node it
// takes the executable alone: the headers alongside it are 67 MB.
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"

const version = "24.21.0"

const modules = join(import.meta.dirname, "../node_modules")
const windows = process.platform === "win32"

const run = (cwd, command, ...parameters) => {
  const { error, status, stderr } = spawnSync(command, parameters, { cwd, encoding: "utf8", shell: windows })
  if (status !== 0) throw new Error(`${command} ${parameters.join(" ")} failed:\n${stderr}`, { cause: error })
}

const packageName = () => {
  if (windows) return `node-win-${process.arch}`
  const prefix = process.platform === "darwin" && process.arch === "arm64" ? "node-bin" : "node"
  return `${prefix}-${process.platform}-${process.arch}`
}

const bring = (directory) => {
  run(directory, "npm", "pack", `${packageName()}@${version}`, "--silent")
  const executable = windows ? "node.exe" : "node"
  run(directory, "tar", "-xzf", ...readdirSync(directory), `package/bin/${executable}`)
  mkdirSync(join(modules, ".bin"), { recursive: true })
  renameSync(join(directory, "package/bin", executable), join(modules, ".bin", executable))
}

if (process.versions.node.split(".")[0] !== version.split(".")[0]) {
  const directory = mkdtempSync(join(modules, ".node-"))
  try {
    bring(directory)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
