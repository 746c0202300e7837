/** API tokens of a store. */
export { authenticate } from "../usecases/tokens/Authenticate.ts"
export { createToken as create, deleteToken as delete, listTokens as list } from "../usecases/tokens/ManageTokens.ts"
