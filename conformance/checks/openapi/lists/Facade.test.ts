/**
 * Every `list` of the façade, by every filter to its end: exactly the filtered set, each entry once, in the order of
 * the list. A list that is new has no data here, and fails.
 */
import { expect, layer as testLayer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { layerCertificateReader } from "../../../../adapters/node/CertificateReader.ts"
import { layerCrypto } from "../../../../adapters/node/Crypto.ts"
import { layerHostLookup } from "../../../../adapters/node/HostLookup.ts"
import type { Json } from "../../../../core/model/json/Json.ts"
import { EndpointStore } from "../../../../core/ports/EndpointStore.ts"
import { KeyRing } from "../../../../core/ports/KeyRing.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { TokenStore } from "../../../../core/ports/TokenStore.ts"
import { makeFacade } from "../../../../hosts/embed/Facade.ts"
import { RestApi } from "../../../../hosts/embed/RestApi.ts"
import { Runtime } from "../../../../hosts/embed/Runtime.ts"
import { OpenDatabase } from "../../../../hosts/embed/Stores.ts"
import { keyRing } from "../../../testkit/hosts/TestHost.ts"
import { lists, stored } from "./Filters.ts"
import { layerWorld, shop, World, walk } from "./World.ts"

const unused = { requireCurrent: Effect.void, untilNewer: Effect.never } as unknown as OpenDatabase["Service"]

/** The façade as `createDesignwire` makes it, over the stores of the world. */
const facade = Effect.gen(function* () {
  const { ports } = yield* World
  const services = Layer.mergeAll(
    Layer.succeedContext(ports),
    Layer.succeed(OpenDatabase, unused),
    Layer.succeed(KeyRing, keyRing),
    Layer.succeed(RestApi, {} as RestApi["Service"]),
    ...[layerCrypto, layerHostLookup(), layerCertificateReader],
  )
  const runtime = new Runtime(services, Effect.never)
  yield* Effect.addFinalizer(() => Effect.promise(() => runtime.stop()))
  return makeFacade(runtime)
})

type Query = Readonly<Record<string, string>>

/** The lists with pages: the operation of the APIs that has the same, and the name of the cursor. */
const paged = {
  orders: ["listOrders", "cursor"],
  events: ["listEvents", "after"],
  inbox: ["inbox.listInbox", "after"],
  audit: ["audit.listAudit", "after"],
} as const

/** The lists without pages, and the ids in the store behind each. */
const whole = {
  shops: Effect.flatMap(World, ({ ports }) =>
    Context.get(ports, ShopStore).list({ search: null, after: null, limit: 1_000 }),
  ),
  tokens: Effect.flatMap(World, ({ ports }) => Context.get(ports, TokenStore).list(shop)),
  webhooks: Effect.flatMap(World, ({ ports }) => Context.get(ports, EndpointStore).list(shop)),
}

/** The lists of a few things without ids. */
const few = ["platforms"]

interface Page {
  readonly data: ReadonlyArray<Json>
  readonly pagination: { readonly nextCursor: string | null; readonly hasMore?: boolean }
}

type List = (at: string, given: Query) => Promise<Page>

const idsOf = (entries: ReadonlyArray<{ readonly id?: unknown }>) => entries.map(({ id }) => String(id))

testLayer(layerWorld, { excludeTestServices: true })("The lists of the façade", (it) => {
  it.effect("MUST be known here", () =>
    Effect.gen(function* () {
      const names = Object.entries(yield* facade).filter(([_, methods]) => "list" in methods)
      const known = [...Object.keys(paged), ...Object.keys(whole), ...few]
      expect(names.map(([name]) => name).sort()).toEqual(known.sort())
    }),
  )

  for (const [name, [operation, cursor]] of Object.entries(paged)) {
    for (const [query, selects] of lists[operation] ?? []) {
      it.effect(`MUST have exactly the filtered set, each once and in order: ${name} ${JSON.stringify(query)}`, () =>
        Effect.gen(function* () {
          const list = (yield* facade)[name as keyof typeof paged].list as unknown as List
          const walked = (given: Query) =>
            walk((next: string | undefined) =>
              Effect.map(
                Effect.promise(() => list(shop, { ...given, ...(next === undefined ? {} : { [cursor]: next }) })),
                ({ data, pagination: { hasMore, nextCursor } }) => ({
                  entries: data,
                  next: nextCursor === null || hasMore === false ? undefined : nextCursor,
                }),
              ),
            )
          const { all } = yield* walked({ limit: "100" })
          expect(all).toHaveLength(yield* stored(operation))
          const expected = idsOf(all.filter(selects))
          for (const limit of ["1", "2", "100"]) {
            expect(idsOf((yield* walked({ ...query, limit })).all)).toEqual(expected)
          }
        }),
      )
    }
  }

  for (const [name, entries] of Object.entries(whole)) {
    it.effect(`MUST have every entry once: ${name}`, () =>
      Effect.gen(function* () {
        const list = (yield* facade)[name as keyof typeof whole].list as unknown as (
          at: string,
        ) => Promise<ReadonlyArray<Json>>
        const listed = idsOf(yield* Effect.promise(() => list(shop)))
        expect(listed.length).toBeGreaterThan(3)
        expect(new Set(listed).size).toBe(listed.length)
        expect(listed.toSorted()).toEqual(idsOf(yield* entries).toSorted())
      }),
    )
  }
})
