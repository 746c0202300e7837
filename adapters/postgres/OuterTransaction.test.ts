/**
 * Use cases within a transaction of our connections or of the embedder's, on a host that serves other callers
 * meanwhile.
 */
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { ringInput, shopInput } from "../../conformance/suites/service/Samples.ts"
import { OuterTransaction } from "../../conformance/suites/storage/StorageCase.ts"
import { someTime } from "../../conformance/suites/storage/support/Fixtures.ts"
import { createEndpoint, happen } from "../../conformance/suites/storage/support/Webhooks.ts"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { libraries, outerTransaction } from "../../conformance/testkit/drivers/OwnConnections.ts"
import { host, newShop } from "../../conformance/testkit/workers/Fleet.ts"
import type { Definition } from "../../core/model/catalog/Definition.ts"
import { Upkeep } from "../../core/ports/Upkeep.ts"
import { authenticate, KnownTokens } from "../../core/usecases/access/Authenticate.ts"
import { createToken, deleteToken } from "../../core/usecases/access/ManageTokens.ts"
import { publishCustomizer } from "../../core/usecases/catalog/PublishCustomizer.ts"
import { saveDesign } from "../../core/usecases/catalog/SaveDesign.ts"
import { putShop } from "../../core/usecases/shops/ManageShops.ts"

/** Hosts, and outer transactions for their calls. */
const ways = [
  {
    name: "of our connections",
    committed: "here",
    open: (url: string) =>
      Layer.provideMerge(
        Layer.effect(
          OuterTransaction,
          Effect.map(SqlClient.SqlClient, (sql) => ({ run: sql.withTransaction })),
        ),
        host(url),
      ),
  },
  ...libraries.slice(0, 2).map((library) => ({
    name: `of ${library.name}`,
    committed: "elsewhere",
    open: (url: string) => Layer.provideMerge(outerTransaction(library, url), host(url)),
  })),
]

const onHost = <A, E, R>(
  open: (url: string) => Layer.Layer<Layer.Success<ReturnType<typeof host>> | OuterTransaction, unknown>,
  effect: Effect.Effect<A, E, R>,
) =>
  Effect.flatMap(migratedDatabase, (url) =>
    Effect.provide(effect, Layer.provideMerge(KnownTokens.layer, open(url)), { local: true }),
  )

/** Runs an effect in a transaction that is rolled back. */
const rolledBack = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  OuterTransaction.use((transaction) => Effect.flip(transaction.run(Effect.andThen(effect, Effect.fail("given up")))))

describe.each(ways)("A transaction $name", ({ committed, open }) => {
  it.live(
    "a token revoked within a transaction MUST be refused once that commits, even if it was used meanwhile (D18)",
    () =>
      onHost(
        open,
        Effect.gen(function* () {
          const transaction = yield* OuterTransaction
          const shop = yield* newShop
          const { text, token } = yield* createToken(shop, { name: "ERP" })
          const revoked = yield* Deferred.make<void>()
          const go = yield* Deferred.make<void>()
          const revoking = yield* Effect.forkChild(
            transaction.run(
              Effect.gen(function* () {
                yield* deleteToken(shop, token.id)
                yield* Deferred.succeed(revoked, undefined)
                yield* Deferred.await(go)
              }),
            ),
          )
          yield* Deferred.await(revoked)
          expect((yield* authenticate(text)).tokenId).toBe(token.id)
          yield* Deferred.succeed(go, undefined)
          yield* Fiber.join(revoking)
          const refused = Effect.map(Effect.flip(authenticate(text)), ({ _tag }) => _tag)
          // The host hears of an embedder's commit a little later.
          const later = Effect.retry(refused, {
            while: () => committed === "elsewhere",
            schedule: Schedule.spaced("2 millis"),
          })
          expect(yield* later).toBe("Unauthorized")
        }),
      ),
  )

  it.live("counting due deliveries within a transaction MUST include the ones that it added", () =>
    onHost(
      open,
      Effect.gen(function* () {
        const transaction = yield* OuterTransaction
        const upkeep = yield* Upkeep
        const shop = yield* newShop
        yield* createEndpoint(shop)
        const counted = yield* transaction.run(Effect.andThen(happen(shop), upkeep.statistics(someTime)))
        expect(counted.pending).toBe(1)
      }),
    ),
  )

  it.live("tokens and plans read within a transaction MUST NOT be remembered when it is rolled back (D8, D18)", () =>
    onHost(
      open,
      Effect.gen(function* () {
        const shop = yield* newShop
        const { text } = yield* createToken(shop, { name: "ERP" })
        yield* putShop(shop, { ...shopInput, plan: "free" })
        const withPlan = Effect.andThen(putShop(shop, { ...shopInput, plan: "plus" }), authenticate(text))
        expect(yield* rolledBack(withPlan)).toBe("given up")
        expect((yield* Effect.flip(authenticate(text)))._tag).toBe("PlanRequired")

        yield* putShop(shop, { ...shopInput, plan: "pro" })
        const withToken = Effect.gen(function* () {
          const { text } = yield* createToken(shop, { name: "Never" })
          yield* authenticate(text)
          return yield* Effect.fail(text)
        })
        const never = yield* Effect.flip(OuterTransaction.use((transaction) => transaction.run(withToken)))
        if (!Redacted.isRedacted(never)) return yield* Effect.die(never)
        expect((yield* Effect.flip(authenticate(never as typeof text)))._tag).toBe("Unauthorized")
      }),
    ),
  )

  it.live("a design MUST be evaluated on the published version, not on a rolled-back one with the same number", () =>
    onHost(
      open,
      Effect.gen(function* () {
        const shop = yield* newShop
        const publish = (orderKey: string) => {
          const answers = [{ id: "a", title: "A", productionCode: "A" }] as const
          const question = { id: "q", step: "s", title: "Q", type: "single", orderKey, answers } as const
          const definition: Definition = {
            schemaVersion: 1,
            steps: [{ id: "s", title: "S", view: "v" }],
            questions: [question],
            rules: [],
          }
          return publishCustomizer(shop, 101, { definition })
        }
        const save = Effect.map(
          saveDesign(shop, "d", { ...ringInput, selection: { q: "a" } }),
          ({ design }) => [design.value.customizer.version, design.value.summary[0]?.key] as const,
        )
        const tried = Effect.tap(Effect.andThen(publish("rolled back"), save), (saved) =>
          Effect.sync(() => expect(saved).toEqual([2, "rolled back"])),
        )
        expect(yield* rolledBack(tried)).toBe("given up")
        yield* publish("published")
        expect(yield* save).toEqual([2, "published"])
      }),
    ),
  )
})
