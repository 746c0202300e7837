/** The requirements that every adapter must meet, for any test runner. */
export type { StoragePorts } from "../core/ports/StoragePorts.ts"
export { AssertionFailed } from "./Assertion.ts"
export { storageCases } from "./storage/cases.ts"
export {
  type Capability,
  hosts,
  OtherHost,
  OuterTransaction,
  type StorageCase,
  type StorageHarness,
} from "./storage/StorageCase.ts"
