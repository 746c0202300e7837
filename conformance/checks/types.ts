/**
 * Type-checks everything, and with it what uses packages that are installed apart, with their own types: `npm run
 * check:installed`.
 */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import process from "node:process"
import { install } from "../testkit/processes/Install.ts"

const folders = ["frameworks", "libraries", "libraries/prisma", "runners", "../bench/contenders"]
await Promise.all(folders.map((folder) => install(new URL(`${folder}/`, import.meta.url))))

const compiler = join(import.meta.dirname, "../../node_modules/typescript/bin/tsc")
const { status } = spawnSync(process.execPath, [compiler, "-p", import.meta.dirname], { stdio: "inherit" })
process.exitCode = status ?? 1
