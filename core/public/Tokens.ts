/** API tokens of a store. */
export { authenticate } from "../usecases/access/Authenticate.ts"
export { createToken as create, deleteToken as delete, listTokens as list } from "../usecases/access/ManageTokens.ts"
