/** New folders of a task: its files, and the packages that they need. */
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join, resolve } from "node:path"
import manifest from "../../../package.json" with { type: "json" }
import { install } from "../../testkit/processes/Install.ts"
import { installMore, pack } from "../package/Installation.ts"
import { Attempt } from "./Attempt.ts"
import { folderOf, taskOf } from "./Tasks.ts"

const root = resolve(import.meta.dirname, "../../..")

/** Copies the files that a task begins from into a new folder. */
export const copyFiles = (name: string, directory: string): void => {
  if (existsSync(directory) && readdirSync(directory).length > 0) throw new Error(`${directory} is not empty`)
  mkdirSync(directory, { recursive: true })
  cpSync(folderOf(name, "task.md"), join(directory, "task.md"))
  cpSync(folderOf(name, "start"), directory, { recursive: true })
}

/** Makes a folder for somebody who solves a task: with the package as users get it, packed by the last build. */
export const prepare = async (name: string, directory: string): Promise<void> => {
  const path = resolve(directory)
  copyFiles(name, path)
  const temporary = mkdtempSync(join(tmpdir(), "designwire-packed-"))
  try {
    // In the folder: later installations look for it again.
    const tarball = await pack(join(temporary, "packed"))
    cpSync(tarball, join(path, basename(tarball)))
    await installMore(path, `./${basename(tarball)}`, `effect@${manifest.devDependencies.effect}`)
  } finally {
    rmSync(temporary, { recursive: true })
  }
  await finish(name, path)
}

/** Makes what a task has alongside its files. */
export const finish = async (name: string, directory: string): Promise<void> => {
  const attempt = new Attempt(directory)
  try {
    await (await taskOf(name)).prepare?.(attempt)
  } finally {
    await attempt.close()
  }
}

/** Packages that solutions need and nothing else here does. */
const packages = new URL("packages/", import.meta.url)
const { dependencies: others } = JSON.parse(readFileSync(new URL("package.json", packages), "utf8"))

/** Links the packages of a folder, and of folders in it, for tests. `own`: the path of this package. */
export const linkPackages = async (directory: string, own: string): Promise<void> => {
  for (const path of globSync("{,*/}package.json", { cwd: directory })) await linkThose(join(directory, path), own)
}

const linkThose = async (path: string, own: string): Promise<void> => {
  const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(path, "utf8"))
  const modules = join(dirname(path), "node_modules")
  const link = (source: string, name: string): void => {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    rmSync(join(modules, name), { force: true })
    symlinkSync(source, join(modules, name))
  }
  link(own, "designwire")
  link(join(own, "dist/hosts/cli/main.js"), ".bin/designwire")
  for (const name of ["effect", ...Object.keys(dependencies), ...Object.keys(devDependencies)]) {
    const from = name in others ? await install(packages) : root
    link(join(from, "node_modules", name), name)
  }
}
