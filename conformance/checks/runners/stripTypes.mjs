/** Jest's transform for TypeScript: Node strips the types. */
import { stripTypeScriptTypes } from "node:module"

export default { process: (text) => ({ code: stripTypeScriptTypes(text) }) }
