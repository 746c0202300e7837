/** The requirements that every adapter and every service must meet, for any test runner or none. */
export { type SenderHarness, sender } from "./sender/sender.ts"
export { type DriverProcess, driverProcess } from "./service/DriverProcess.ts"
export { type ManagementApi, managementDriver } from "./service/ManagementDriver.ts"
export type { ListenAddress } from "./service/Receiver.ts"
export {
  CallRefused,
  CallUnsupported,
  type DriverCalls,
  type LoggedAttempt,
  type LoggedDelivery,
  type ServiceDriver,
  type ShopSettings,
} from "./service/ServiceDriver.ts"
export { type ServiceHarness, service } from "./service/service.ts"
export { type Capability, Cut, OuterTransaction, type StoragePort, Work } from "./storage/StorageCase.ts"
export { type Lacks, type StorageHarness, storage } from "./storage/storage.ts"
export { CaseFailed } from "./suite/CaseFailed.ts"
export { type CheckOptions, check } from "./suite/check.ts"
export type { FormatName } from "./suite/formats.ts"
export type { Report, Result } from "./suite/Report.ts"
export { type Runner, register, type Test } from "./suite/register.ts"
export type { Selection, Suite, SuiteCase } from "./suite/Suite.ts"
export type {
  EvaluationAnswer,
  EvaluationVector,
  SignVector,
  StandardSignVector,
  StandardVerifyVector,
  VectorFunctions,
  VerifyVector,
} from "./vectors/VectorFunctions.ts"
export { type VectorsHarness, vectors } from "./vectors/vectors.ts"
