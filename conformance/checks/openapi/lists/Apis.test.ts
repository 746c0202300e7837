/**
 * Every list of both APIs, found in their documents, by every filter to its end: exactly the filtered set, each entry
 * once, in the order of the list. A list or a filter that is new has no data here, and fails.
 */
import { expect, layer as testLayer } from "@effect/vitest"
import { Effect } from "effect"
import type { Json } from "../../../../core/model/json/Json.ts"
import { createClient } from "../../../../hosts/client/index.ts"
import { bodyOf, manage, read } from "../../../testkit/hosts/TestHost.ts"
import { type ApiName, plainDocuments } from "../Documents.ts"
import { operationsOf, parametersOf } from "../Operations.ts"
import { cut, type Entry, lists, stored } from "./Filters.ts"
import { layerWorld, shop, World, walk } from "./World.ts"

const cursors = ["cursor", "after"]

/** The operations of a document that answer a page of a list. */
const listsOf = (api: ApiName) =>
  operationsOf(plainDocuments[api])
    .filter(({ method }) => method === "GET")
    .map((operation) => ({
      ...operation,
      names: parametersOf(operation)
        .filter((parameter) => parameter["in"] === "query")
        .map(({ name }) => String(name)),
    }))
    .filter(({ names }) => names.includes("limit") || names.some((name) => cursors.includes(name)))

const found = (["rest", "manage"] as const).flatMap((api) => listsOf(api).map((operation) => ({ api, ...operation })))

testLayer(layerWorld, { excludeTestServices: true })("The lists of the APIs", (it) => {
  it.effect("MUST be known here, with each of their filters", () =>
    Effect.sync(() => {
      expect(found.map(({ id }) => id).sort()).toEqual(Object.keys(lists).sort())
      for (const { id, names } of found) {
        const asked = new Set((lists[id] ?? []).flatMap(([query]) => Object.keys(query)))
        expect([id, ...names.filter((name) => name !== "limit" && !cursors.includes(name)).sort()]).toEqual([
          id,
          ...[...asked].sort(),
        ])
      }
    }),
  )

  for (const { api, id, names, path } of found) {
    for (const [query, selects] of lists[id] ?? []) {
      it.effect(`MUST have exactly the filtered set, each once and in order: ${id} ${JSON.stringify(query)}`, () =>
        Effect.gen(function* () {
          const { endpoints, send, token } = yield* World
          const at = path
            .replace(/^\/\w+\/v1/, "")
            .replace("{shop}", shop)
            .replace("{endpoint}", endpoints.quiet)
          const cursor = names.find((name) => cursors.includes(name)) ?? "cursor"
          const ask = Effect.fnUntraced(function* (given: Readonly<Record<string, string>>) {
            const address = `${at}?${new URLSearchParams(given)}`
            const answer = api === "rest" ? yield* read(send, token, address) : yield* manage(send, "GET", address)
            // An entry may be larger than a page by itself; several are not.
            const body = yield* bodyOf(200, answer)
            const data = body["data"] as ReadonlyArray<Entry>
            if (data.length > 1) expect(answer.length).toBeLessThanOrEqual(8 * 1024 * 1024)
            const { hasMore, nextCursor } = body["pagination"] as Json
            return { entries: data, next: nextCursor === null || hasMore === false ? undefined : String(nextCursor) }
          })
          const walked = (given: Readonly<Record<string, string>>) =>
            walk((next: string | undefined) => ask({ ...given, ...(next === undefined ? {} : { [cursor]: next }) }))
          const whole = yield* walked({ limit: "100" })
          expect(whole.all).toHaveLength(yield* stored(id))
          const idsOf = (entries: ReadonlyArray<Entry>) => entries.map((entry) => String(entry["id"]))
          const expected = idsOf(whole.all.filter(selects))
          expect(new Set(expected).size).toBe(expected.length)
          for (const limit of ["1", "2", "100"]) {
            const { all, pages } = yield* walked({ ...query, limit })
            expect(idsOf(all)).toEqual(expected)
            expect(pages).toBeGreaterThanOrEqual(Math.ceil(expected.length / Number(limit)))
          }
        }),
      )
    }
  }

  it.effect("MUST be the same for the client", () =>
    Effect.gen(function* () {
      const { send, token } = yield* World
      const client = createClient({
        url: "http://host.test/api/v1",
        token,
        fetch: async (url, { headers }) => {
          const answer = await Effect.runPromise(send("GET", new URL(url).pathname + new URL(url).search, { headers }))
          return {
            status: answer.status,
            headers: new Headers(answer.headers as Record<string, string>),
            text: async () => answer.text,
          }
        },
      })
      const ids = Effect.promise(async () => {
        const listed: Array<string> = []
        for await (const { id } of client.orders.list({ limit: 2, orderedAfter: cut })) listed.push(id)
        return listed
      })
      const { all } = yield* walk((next: string | undefined) =>
        Effect.map(
          read(
            send,
            token,
            `/orders?orderedAfter=${encodeURIComponent(cut)}${next === undefined ? "" : `&cursor=${next}`}`,
          ),
          ({ json }) => {
            const { data, pagination } = json as {
              readonly data: ReadonlyArray<{ readonly id: string }>
              readonly pagination: { readonly nextCursor: string | null }
            }
            return { entries: data.map(({ id }) => id), next: pagination.nextCursor ?? undefined }
          },
        ),
      )
      expect(yield* ids).toEqual(all)
      expect(all.length).toBeGreaterThan(20)
      const cancelled = yield* walk((next: string | undefined) =>
        Effect.map(
          read(send, token, `/events?types=order.cancelled&limit=100${next === undefined ? "" : `&after=${next}`}`),
          ({ json }) => {
            const { data, pagination } = json as {
              readonly data: ReadonlyArray<{ readonly id: string }>
              readonly pagination: { readonly nextCursor: string; readonly hasMore: boolean }
            }
            return { entries: data.map(({ id }) => id), next: pagination.hasMore ? pagination.nextCursor : undefined }
          },
        ),
      )
      const followed = Effect.promise(async () => {
        const seen: Array<string> = []
        for await (const { events } of client.events.follow({ types: ["order.cancelled"], interval: 1 })) {
          seen.push(...events.map(({ id }) => id))
          if (seen.length >= cancelled.all.length) break
        }
        return seen
      })
      expect(yield* followed).toEqual(cancelled.all)
      expect(cancelled.all.length).toBeGreaterThan(15)
    }),
  )
})
