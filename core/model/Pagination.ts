import { Schema } from "effect"

/** The end of a page of a list. */
export const Pagination = Schema.Struct({
  limit: Schema.Int.annotate({ description: "Page size applied" }),
  nextCursor: Schema.NullOr(Schema.String).annotate({
    description: "Pass as after for the next page; null on the last page",
  }),
})
export type Pagination = typeof Pagination.Type

/** A page of a list. */
export interface Page<A> {
  readonly data: ReadonlyArray<A>
  readonly pagination: Pagination
}
