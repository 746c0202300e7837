/** The names of what changes are about: readers know these, not ids. */
import { Effect } from "effect"
import type { AuditFields, AuditView } from "../../core/model/audit/AuditEntry.ts"
import { listCustomizers } from "../../core/usecases/catalog/ListCustomizers.ts"
import { orderNames } from "../../core/usecases/orders/SearchOrders.ts"
import { listEndpoints } from "../../core/usecases/webhooks/ManageEndpoints.ts"
import { nameOf } from "./parts/endpoints/EndpointName.tsx"

/** Customizers that are read at once, from the lowest id of a page. */
const mostRead = 100

/** The name of a thing; of an endpoint without a description its host. */
export interface SubjectName {
  readonly text: string
  readonly isHost: boolean
}

/** The titles of customizers by their ids. */
const titlesFrom = Effect.fnUntraced(function* (shop: string, ids: ReadonlyArray<number>) {
  const found = ids.length === 0 ? [] : yield* listCustomizers({ shop, after: Math.min(...ids) - 1, limit: mostRead })
  return new Map(found.map(({ id, title }) => [String(id), title]))
})

/** What entries say of each thing, of a field the newest value. So things that are deleted keep their names. */
const saidOf = (entries: ReadonlyArray<AuditView>): ReadonlyMap<string, AuditFields> => {
  const said = new Map<string, AuditFields>()
  for (const { after, before, subject } of entries.toReversed()) {
    const key = `${subject.type}:${subject.id}`
    said.set(key, { ...said.get(key), ...before, ...after })
  }
  return said
}

/**
 * Reads the names of what the entries of a page are about, newest first: one look-up for customizers and one for
 * orders. `nameOf` has none for a thing without a name, `titles` has the customizers' titles by their ids.
 */
export const subjectNames = Effect.fnUntraced(function* (shop: string, entries: ReadonlyArray<AuditView>) {
  const idsOf = (type: string) => entries.flatMap(({ subject }) => (subject.type === type ? [subject.id] : []))
  const chosen = entries.flatMap(({ after, before }) => [after?.["customizers"] ?? [], before?.["customizers"] ?? []])
  const endpoints = yield* listEndpoints(shop)
  const titles = yield* titlesFrom(shop, [...idsOf("customizer"), ...chosen.flat()].map(Number))
  const { orders } = yield* orderNames(shop, idsOf("order"))
  const said = saidOf(entries)
  return {
    titles,
    nameOf: ({ id, type }: AuditView["subject"]): SubjectName | undefined => {
      const fields = said.get(`${type}:${id}`) ?? {}
      if (type === "endpoint") {
        const { description = "", url = "" } = endpoints.find((known) => known.id === id) ?? fields
        const text = nameOf({ description: String(description), url: String(url) })
        return text === "" ? undefined : { text, isHost: description === "" }
      }
      const text = { customizer: titles, order: orders }[type as string]?.get(id) ?? fields["title"] ?? fields["name"]
      return typeof text === "string" ? { text, isHost: false } : undefined
    },
  }
})

/** The names of a page's changes. */
export type SubjectNames = Effect.Success<ReturnType<typeof subjectNames>>
