/** Writes the site to `hosts/docs/dist`: `npm run docs:build`. */
import { astro, write } from "./Astro.ts"

await write("--clean")
await astro("build", "--silent")
