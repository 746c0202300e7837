/** The management API (contract.md) as routes for a host. */
export { Contract } from "./Contract.ts"
export { layer } from "./Handlers.ts"
