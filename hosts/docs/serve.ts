/** Serves the site, and writes its pages again when a guide changes: `npm run docs`. */
import { watch } from "node:fs"
import { join } from "node:path"
import { astro, write } from "./Astro.ts"
import { guidePaths, root } from "./pages/Guides.ts"

await write("--clean")

let writing = Promise.resolve()
for (const file of guidePaths.keys()) {
  watch(join(root, file), () => {
    writing = writing.then(() => write()).catch((error: unknown) => console.error(error))
  })
}
await astro("dev")
