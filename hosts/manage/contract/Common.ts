/** Parts that the groups of the management API's contract share. */
import { Schema } from "effect"
import { HttpApiSchema, OpenApi } from "effect/http-api"
import * as Errors from "../../../core/api/Errors.ts"

/** The documentation of an endpoint. */
export const describe = (summary: string, description: string) => OpenApi.annotations({ summary, description })

/** The statuses of answers that are not 200. */
export const created = HttpApiSchema.status(201)
export const accepted = HttpApiSchema.status(202)
export const removed = HttpApiSchema.NoContent.annotate({ description: "Removed" })

const NotFound = Errors.NotFound.annotate({ description: "There is no such shop, or nothing of that id in it" })

/** What any request that names something may be answered with. */
export const readErrors = [NotFound, Errors.Unavailable] as const

/** The same for one with a body. */
export const inputErrors = [Errors.InvalidInput, Errors.TooLarge, ...readErrors] as const

/** A segment of a path. */
export const segment = (description: string) => Schema.String.annotate({ description })

export const shop = {
  shop: segment("The shop's id: 1 to 63 lower-case letters, digits and hyphens, not starting with a hyphen"),
}

export const listOf = <S extends Schema.Top>(item: S) => Schema.Struct({ data: Schema.Array(item) })
