/** Jest reads TypeScript through this: Node leaves the types out. */
import { stripTypeScriptTypes } from "node:module"

export default { process: (text) => ({ code: stripTypeScriptTypes(text) }) }
