import { Data } from "effect"

/** The service refused a call of the driver. */
export class Refused extends Data.TaggedError("Refused")<{
  readonly message: string
  readonly status: number | undefined
}> {}

/** The driver failed without saying that the call is unsupported. */
export class DriverFailed extends Data.TaggedError("DriverFailed")<{
  readonly message: string
  readonly cause: unknown
}> {}
