import { Data } from "effect"

/** The service refused what the driver told it. */
export class Refused extends Data.TaggedError("Refused")<{
  readonly message: string
  readonly status: number | undefined
}> {}

/** The driver could not do what it was told, and does not say that it can't. */
export class DriverFailed extends Data.TaggedError("DriverFailed")<{
  readonly message: string
  readonly cause: unknown
}> {}
