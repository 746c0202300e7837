import { Statement } from "effect/sql"

/** SQL that is the same in every call, such as a rule or a list of columns: a part of statements, and of texts. */
export interface Fixed extends Statement.Fragment {
  readonly toString: () => string
}

/** Makes SQL from a text that no caller has a part in. */
export const fixed = (text: string): Fixed =>
  Object.assign(Statement.fragment([Statement.literal(text)]), { toString: () => text })

/** SQL with the names of another schema in its fixed parts. */
export const renamed = <A>(value: A, named: (text: string) => string): A | Statement.Fragment =>
  Statement.isFragment(value)
    ? Statement.fragment(
        value.segments.map((segment) =>
          segment._tag === "Literal" ? Statement.literal(named(segment.value), segment.params) : segment,
        ),
      )
    : value
