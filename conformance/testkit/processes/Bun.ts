import { readdirSync } from "node:fs"
import { join } from "node:path"
import { install } from "./Install.ts"

/** Installs Bun from npm where that was not done before; answers the path of its binary. */
export const installBun = async (): Promise<string> => {
  const folder = await install(new URL("../../checks/runners/", import.meta.url))
  const packages = join(folder, "node_modules/@oven")
  // One package a system: npm has installed the one that runs here.
  const [own = ""] = readdirSync(packages)
  return join(packages, own, "bin/bun")
}
