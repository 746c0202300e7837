/** Plants a fault in the sources that a process loads. The process imports this file first. */
import { registerHooks } from "node:module"
import process from "node:process"
import { pathToFileURL } from "node:url"
import { plant, plantedIn } from "./Mutant.ts"

const planted = plantedIn(process.env)

if (planted !== undefined) {
  const file = new URL(`../../../${planted.file}`, pathToFileURL(import.meta.filename)).href
  registerHooks({
    load: (url, context, next) => {
      const loaded = next(url, context)
      return url === file ? { ...loaded, source: plant(planted, String(loaded.source)) } : loaded
    },
  })
}
