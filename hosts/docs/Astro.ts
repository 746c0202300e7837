/** Astro, with the packages of this folder, which are installed when they are first needed. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import process from "node:process"
import { install } from "../../conformance/testkit/processes/Install.ts"

const folder = import.meta.dirname

const run = async (...parameters: ReadonlyArray<string>): Promise<void> => {
  const env = { ...process.env, ASTRO_TELEMETRY_DISABLED: "1" }
  const [code] = await once(spawn(process.execPath, parameters, { cwd: folder, env, stdio: "inherit" }), "exit")
  if (code !== 0) throw new Error(`node ${parameters.join(" ")} ended with ${code}`)
}

/** Writes the pages that Astro reads: in a process of its own, which loads the sources as they are now. */
export const write = (...options: ReadonlyArray<string>): Promise<void> =>
  run("--import", join(folder, "../../conformance/testkit/processes/Tsx.ts"), "write.ts", ...options)

/** Runs a command of Astro. */
export const astro = async (...parameters: ReadonlyArray<string>): Promise<void> => {
  await install(new URL("./", import.meta.url))
  await run(join(folder, "node_modules/astro/bin/astro.mjs"), ...parameters)
}
