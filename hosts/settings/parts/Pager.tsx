import type { Visit } from "../Visit.ts"
import { Pages } from "./List.tsx"

/** The address of the current page with other parameters. Empty ones are left out. */
const queryOf = (parameters: Readonly<Record<string, string>>): string =>
  `?${new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== "")).toString()}`

/** Links to the next page of a list, and back to its first. */
export const Pager = ({
  after,
  next,
  search,
  visit,
}: {
  readonly visit: Visit["Service"]
  readonly search: string
  /** The cursor of this page; empty for the first. */
  readonly after: string
  /** The cursor of the next page; `null` if this is the last. */
  readonly next: string | null
}) => (
  <Pages
    label={visit.texts.paging.pages}
    first={after === "" ? undefined : { href: queryOf({ q: search }), text: visit.texts.paging.first }}
    next={next === null ? undefined : { href: queryOf({ q: search, after: next }), text: visit.texts.paging.next }}
  />
)
