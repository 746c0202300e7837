/** API tokens of a store. */
export { authenticate } from "../usecases/tokens/Authenticate.ts"
export { createToken as create, listTokens as list, removeToken as remove } from "../usecases/tokens/ManageTokens.ts"
