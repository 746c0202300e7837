/** Parts that the groups of the management API's contract share. */
import { Schema } from "effect"
import { HttpApiSchema, OpenApi } from "effect/http-api"
import * as Errors from "../../../core/api/Errors.ts"

/** The documentation of an endpoint: a summary, and a description in one or more parts. */
export const describe = (summary: string, ...description: ReadonlyArray<string>) =>
  OpenApi.annotations({ summary, description: description.join(" ") })

/** The statuses of answers that are not 200. */
export const created = HttpApiSchema.status(201)
export const accepted = HttpApiSchema.status(202)
export const removed = HttpApiSchema.NoContent.annotate({ description: "Removed" })

const NotFound = Errors.NotFound.annotate({ description: "The shop does not exist, or has nothing with this id" })

/** Errors of every request that has an id in its path. */
export const readErrors = [NotFound, Errors.Unavailable] as const

/** Errors of such a request that has a body too. */
export const inputErrors = [
  Errors.InvalidInput,
  Errors.UnknownFields,
  Errors.Refused,
  Errors.TooLarge,
  ...readErrors,
] as const

/** A segment of a path. */
export const segment = (description: string) => Schema.String.annotate({ description })

export const shop = {
  shop: segment("The shop's id: 1 to 63 lower-case letters, digits and hyphens, not starting with a hyphen"),
}

export const listOf = <S extends Schema.Top>(item: S) => Schema.Struct({ data: Schema.Array(item) })
