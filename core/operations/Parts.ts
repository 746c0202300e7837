/** Parts that operations share. */
import { Effect, Schema } from "effect"
import { HttpApiSchema, OpenApi } from "effect/http-api"
import { NotFound as Missing } from "../model/Errors.ts"
import { customizerIdOf } from "../model/Ids.ts"
import { Pagination } from "../model/Page.ts"
import * as Errors from "./Errors.ts"
import type { Id } from "./Operation.ts"

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

/** The path of an endpoint. */
export const endpoint = { ...shop, endpoint: segment("The endpoint's id, `whe_…`") }

/** A page of a list. */
export const pageOf = <S extends Schema.Top>(item: S, identifier: string) =>
  Schema.Struct({ data: Schema.Array(item), pagination: Pagination }).annotate({ identifier })

export const listOf = <S extends Schema.Top>(item: S) => Schema.Struct({ data: Schema.Array(item) })

/** A customizer's id. */
export const customizerId: Id = {
  type: "number",
  read: (text) => {
    const id = customizerIdOf(text)
    const message = `A customizer's id is a positive integer, not ${JSON.stringify(text)}`
    return id === undefined ? Effect.fail(new Missing({ message })) : Effect.succeed(id)
  },
}
