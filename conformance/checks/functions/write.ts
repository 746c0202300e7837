/** Writes the types of the functions of `createDesignwire`: `npm run functions`. */
import { writeFileSync } from "node:fs"
import { file, functions } from "./Functions.ts"

writeFileSync(file, functions())
