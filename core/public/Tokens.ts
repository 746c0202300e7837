/** API tokens of a store. */
export { authenticate } from "../usecases/Authenticate.ts"
export { createToken as create, listTokens as list, removeToken as remove } from "../usecases/ManageTokens.ts"
