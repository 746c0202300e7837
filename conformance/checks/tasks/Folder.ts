/** New folders of a task: its files, and the packages that they need. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import manifest from "../../../package.json" with { type: "json" }
import { install } from "../../testkit/processes/Install.ts"
import { installMore, pack } from "../package/Installation.ts"
import { Attempt } from "./Attempt.ts"
import { folderOf, taskOf } from "./Tasks.ts"

const root = resolve(import.meta.dirname, "../../..")

/** Copies the files of a task into a new folder: those to begin from, or with the solution over them. */
export const copyFiles = (name: string, directory: string, parts: ReadonlyArray<"start" | "solution">): void => {
  if (existsSync(directory) && readdirSync(directory).length > 0) throw new Error(`${directory} is not empty`)
  mkdirSync(directory, { recursive: true })
  cpSync(folderOf(name, "task.md"), join(directory, "task.md"))
  for (const part of parts) cpSync(folderOf(name, part), directory, { recursive: true })
}

/** Makes a folder for somebody who solves a task: with the package as users get it, packed by the last build. */
export const prepare = async (name: string, directory: string): Promise<void> => {
  const path = resolve(directory)
  copyFiles(name, path, ["start"])
  const temporary = mkdtempSync(join(tmpdir(), "designwire-packed-"))
  try {
    const tarball = await pack(join(temporary, "packed"))
    await installMore(path, tarball, `effect@${manifest.devDependencies.effect}`)
  } finally {
    rmSync(temporary, { recursive: true })
  }
  await finish(name, path)
}

/** Makes what a task has beside its files. */
export const finish = async (name: string, directory: string): Promise<void> => {
  const attempt = new Attempt(directory)
  try {
    await (await taskOf(name)).prepare?.(attempt)
  } finally {
    await attempt.close()
  }
}

/** Links the packages of a folder, for tests: the repository's, those of `packages` beside this file, and `own`. */
export const linkPackages = async (directory: string, own: string): Promise<void> => {
  const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"))
  const modules = join(directory, "node_modules")
  mkdirSync(join(modules, ".bin"), { recursive: true })
  symlinkSync(own, join(modules, "designwire"))
  symlinkSync(join(own, "dist/hosts/cli/main.js"), join(modules, ".bin/designwire"))
  for (const name of new Set(["effect", ...Object.keys(dependencies), ...Object.keys(devDependencies)])) {
    if (existsSync(join(modules, name))) continue
    const ours = join(root, "node_modules", name)
    const source = existsSync(ours) ? ours : join(await install(packages), "node_modules", name)
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(source, join(modules, name))
  }
}

/** Packages that solutions need and nothing else here does. */
const packages = new URL("packages/", import.meta.url)
