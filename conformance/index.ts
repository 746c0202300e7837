/** The requirements for every adapter and every service, with any test runner or none. */

export { CaseFailed } from "./suites/runner/CaseFailed.ts"
export { type CheckOptions, check } from "./suites/runner/check.ts"
export type { FormatName } from "./suites/runner/formats.ts"
export type { Report, Result } from "./suites/runner/Report.ts"
export { type Runner, register, type Test } from "./suites/runner/register.ts"
export type { Selection, Suite, SuiteCase } from "./suites/runner/Suite.ts"
export { type SenderHarness, sender } from "./suites/sender/sender.ts"
export { type DriverProcess, driverProcess } from "./suites/service/DriverProcess.ts"
export { type ManagementApi, managementDriver } from "./suites/service/ManagementDriver.ts"
export type { ListenAddress } from "./suites/service/Receiver.ts"
export {
  CallRefused,
  CallUnsupported,
  type DriverCalls,
  type LoggedAttempt,
  type LoggedDelivery,
  type ServiceDriver,
} from "./suites/service/ServiceDriver.ts"
export { type ServiceHarness, service } from "./suites/service/service.ts"
export { type Capability, Cut, OuterTransaction, type StoragePort, Work } from "./suites/storage/StorageCase.ts"
export { type Lacks, type StorageHarness, storage } from "./suites/storage/storage.ts"
export type {
  EvaluationAnswer,
  EvaluationVector,
  SignVector,
  StandardSignVector,
  StandardVerifyVector,
  VectorFunctions,
  VerifyVector,
} from "./suites/vectors/VectorFunctions.ts"
export { type VectorsHarness, vectors } from "./suites/vectors/vectors.ts"
