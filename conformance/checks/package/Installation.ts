/** The package as users get it: packed, and installed by npm alongside `effect` in a project of its own. */
import { execFile } from "node:child_process"
import { mkdir, readdir, writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import process from "node:process"
import { promisify } from "node:util"
import manifest from "../../../package.json" with { type: "json" }

/** Whether what is seldom worth its time is checked too: nightly. */
export const isWhole: boolean = process.env["WHOLE"] === "true"

const root = resolve(import.meta.dirname, "../../..")

const execute = promisify(execFile)

/** How a process ended, and what it wrote. */
export interface Ended {
  readonly succeeded: boolean
  readonly stdout: string
  readonly stderr: string
}

/** Node's cache of compiled modules: many processes load the same ones. */
const compiled = join(root, "node_modules/.cache/node-compile")

/** Runs Node, the one that this process runs on. */
export const node = (directory: string, ...parameters: ReadonlyArray<string>): Promise<Ended> =>
  execute(process.execPath, parameters, {
    cwd: directory,
    env: { ...process.env, NODE_COMPILE_CACHE: compiled },
    maxBuffer: 2 ** 26,
  }).then(
    (output) => ({ succeeded: true, ...output }),
    ({ stderr, stdout }: Ended) => ({ succeeded: false, stderr, stdout }),
  )

/** Runs npm on the Node of this process: which optional packages npm installs depends on its Node. */
const npm = async (directory: string, ...parameters: ReadonlyArray<string>): Promise<void> => {
  const cli = process.env["npm_execpath"]
  if (cli === undefined) throw new Error("Start this with npm run")
  const { stderr, succeeded } = await node(directory, cli, ...parameters, "--no-audit", "--no-fund", "--prefer-offline")
  if (!succeeded) throw new Error(`npm ${parameters.join(" ")}\n${stderr}`)
}

/** Packs what the last build made, and answers the path of the tarball, in a directory of its own. */
export const pack = async (directory: string): Promise<string> => {
  await mkdir(directory)
  await npm(root, "pack", "--ignore-scripts", "--pack-destination", directory)
  const [tarball] = await readdir(directory)
  if (tarball === undefined) throw new Error("npm pack wrote no tarball")
  return join(directory, tarball)
}

/**
 * Installs a tarball of the package and `effect` in a new directory. The parameters are further packages and options of
 * `npm install`.
 */
export const install = async (
  directory: string,
  tarball: string,
  ...parameters: ReadonlyArray<string>
): Promise<void> => {
  await mkdir(directory)
  await writeFile(join(directory, "package.json"), JSON.stringify({ private: true, type: "module" }))
  await installMore(directory, tarball, `effect@${manifest.devDependencies.effect}`, ...parameters)
}

/** Installs more packages into a directory. */
export const installMore = (directory: string, ...parameters: ReadonlyArray<string>): Promise<void> =>
  npm(directory, "install", ...parameters)
