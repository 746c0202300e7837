/** The requirements that every adapter must meet, for any test runner. */
export { AssertionFailed } from "./Assertion.ts"
export { storageCases } from "./storage/cases.ts"
export {
  type Capability,
  hosts,
  OtherHost,
  OuterTransaction,
  type StorageCase,
  type StorageHarness,
  type StoragePorts,
} from "./storage/StorageCase.ts"
