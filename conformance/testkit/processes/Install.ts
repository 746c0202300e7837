/**
 * Other people's software that some tests need, in folders with a lock file of their own: installed into the folder
 * when it is first needed, so that a checkout stays small. Needs the npm registry then.
 */
import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { basename, join, resolve } from "node:path"
import process from "node:process"
import { setTimeout } from "node:timers/promises"
import { promisify } from "node:util"

const execute = promisify(execFile)

/** The directory in which packages are installed before they are moved to their folder. */
const cache = resolve(import.meta.dirname, "../../../node_modules/.cache/install")

/** The files that decide what is installed. */
const inputs = ["package.json", "package-lock.json", ".npmrc"]

const stampIn = (modules: string) => join(modules, ".installed")

const inputsOf = (directory: string): string => {
  const hash = createHash("sha256")
  for (const file of inputs) {
    const path = join(directory, file)
    hash.update(existsSync(path) ? readFileSync(path) : "-").update("\0")
  }
  return hash.digest("hex")
}

const isInstalled = (directory: string): boolean => {
  const stamp = stampIn(join(directory, "node_modules"))
  return existsSync(stamp) && readFileSync(stamp, "utf8") === inputsOf(directory)
}

/** Runs npm: the one that runs this, if one does. */
export const npm = (cwd: string, ...parameters: ReadonlyArray<string>) => {
  const cli = process.env["npm_execpath"]
  const options = { cwd, maxBuffer: 2 ** 26 }
  return cli?.endsWith("npm-cli.js") === true
    ? execute(process.execPath, [cli, ...parameters], options)
    : execute("npm", parameters, { ...options, shell: process.platform === "win32" })
}

/**
 * Installs alongside the folder, and moves what is complete into it: a process that is killed leaves nothing half done.
 */
const installNow = async (directory: string): Promise<void> => {
  const staging = mkdtempSync(join(cache, `${basename(directory)}-`))
  try {
    for (const file of inputs.filter((name) => existsSync(join(directory, name)))) {
      cpSync(join(directory, file), join(staging, file))
    }
    const made = join(staging, "node_modules")
    const current = inputsOf(directory)
    try {
      await npm(staging, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error")
    } catch (error) {
      const { stderr = "" } = error as { readonly stderr?: string }
      throw new Error(
        `npm ci failed for ${directory}. Its packages come from the npm registry when a test first needs them:\n${stderr}`,
        { cause: error },
      )
    }
    mkdirSync(made, { recursive: true })
    writeFileSync(stampIn(made), current)
    const modules = join(directory, "node_modules")
    if (existsSync(modules)) renameSync(modules, join(staging, "outdated"))
    renameSync(made, modules)
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Runs an effect unless another process does so at the moment; answers whether it ran. */
const unlessBusy = async (name: string, run: () => Promise<void>): Promise<boolean> => {
  const lock = join(cache, `${name}.lock`)
  const own = mkdtempSync(join(cache, "lock-"))
  const pid = join(own, "pid")
  writeFileSync(pid, `${process.pid}`)
  try {
    linkSync(pid, lock)
  } catch {
    const owner = existsSync(lock) ? Number(readFileSync(lock, "utf8")) : 0
    if (owner !== 0 && !isAlive(owner)) rmSync(lock, { force: true })
    rmSync(own, { recursive: true, force: true })
    return false
  }
  try {
    await run()
    return true
  } finally {
    rmSync(lock, { force: true })
    rmSync(own, { recursive: true, force: true })
  }
}

const started = new Map<string, Promise<void>>()

const installOnce = async (directory: string): Promise<void> => {
  mkdirSync(cache, { recursive: true })
  while (!isInstalled(directory)) {
    const ran = await unlessBusy(basename(directory), () => installNow(directory))
    if (!ran) await setTimeout(100)
  }
}

/** Installs a folder as its lock file says, unless that was done before; answers its path. */
export const install = async (folder: URL): Promise<string> => {
  const directory = resolve(folder.pathname)
  const installing = started.get(directory) ?? installOnce(directory)
  started.set(directory, installing)
  await installing
  return directory
}
