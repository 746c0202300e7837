/** The audit of a shop (D59): what use cases record, and how it is read. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Logger, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { shopInput } from "../../../conformance/suites/service/Samples.ts"
import { makeWorld, type World } from "../../../conformance/testkit/workers/TestWorker.ts"
import { allScopes } from "../../model/access/Token.ts"
import { managementKey, person } from "../../model/audit/Actor.ts"
import type { AuditInput } from "../../model/queries/Inputs.ts"
import { CurrentActor } from "../../support/Auditing.ts"
import { createToken, deleteToken } from "../access/ManageTokens.ts"
import { deleteDesign } from "../catalog/DeleteDesign.ts"
import { publishCustomizer } from "../catalog/PublishCustomizer.ts"
import { putCustomizer } from "../catalog/PutCustomizer.ts"
import { redactDesign } from "../catalog/RedactDesign.ts"
import { saveDesign } from "../catalog/SaveDesign.ts"
import { placeOrder } from "../orders/PlaceOrder.ts"
import { redactOrder } from "../orders/RedactOrder.ts"
import { putShop } from "../shops/ManageShops.ts"
import { pruneDeliveries, recover, redeliver, sendTestEvent } from "../webhooks/ManageDeliveries.ts"
import {
  createEndpoint,
  deleteEndpoint,
  enableEndpoint,
  pauseEndpoint,
  promoteSecret,
  rotateSecret,
  updateEndpoint,
} from "../webhooks/ManageEndpoints.ts"
import { resend } from "../webhooks/ResendDeliveries.ts"
import { tryDelivery } from "../webhooks/TryDelivery.ts"
import { listAudit } from "./ReadAudit.ts"

const zoe = person("zoë@example.com")

const definition = {
  schemaVersion: 1,
  steps: [{ id: "s", title: "S", view: "front" }],
  questions: [],
  rules: [],
} as const

const url = "https://hooks.example.com/"

/** Places an order of designs with a buyer's text. */
const placeText = Effect.fnUntraced(function* ({ run, shop }: World, ids: ReadonlyArray<string>) {
  const questions = [{ id: "line", step: "s", type: "text", title: "Line" }] as const
  yield* run(publishCustomizer(shop, 101, { definition: { ...definition, questions } }))
  for (const id of ids) {
    yield* run(saveDesign(shop, id, { customizerId: 101, selection: { line: { text: "Zoë" } }, basePrice: 100 }))
  }
  const lines = ids.map((designId) => ({ designId, lineItemId: `line-of-${designId}` }))
  yield* run(placeOrder(shop, "1", { name: "#1", orderedAt: "2026-10-05T14:48:00Z", lines }))
})

/** A shop in which everything has been done that has an entry, and the secrets that were shown or stored meanwhile. */
const busyShop = Effect.gen(function* () {
  const world = yield* makeWorld()
  const { shop } = world
  const run: typeof world.run = (effect) => Effect.provideService(world.run(effect), CurrentActor, zoe)
  yield* run(putShop(shop, { ...shopInput, roundingStep: 5 }))
  const { text, token } = yield* run(createToken(shop, { name: "ERP" }))
  yield* run(deleteToken(shop, token.id))
  yield* run(
    putCustomizer(shop, 8, { title: "Mug", platformProductId: "gid://p/Product/2", assetBase: "https://a.example" }),
  )
  yield* run(publishCustomizer(shop, 8, { definition }))
  yield* placeText(world, ["a", "b"])
  yield* run(saveDesign(shop, "draft", { customizerId: 101, selection: {}, basePrice: 100 }))
  yield* run(redactDesign(shop, "a"))
  yield* run(redactOrder(shop, "1"))
  yield* run(deleteDesign(shop, "draft"))
  const { endpoint, secret } = yield* run(createEndpoint(shop, { url }))
  yield* run(updateEndpoint(shop, endpoint.id, { description: "Shop", events: ["design.ordered"] }))
  const rotated = yield* run(rotateSecret(shop, endpoint.id))
  yield* run(promoteSecret(shop, endpoint.id))
  yield* run(pauseEndpoint(shop, endpoint.id))
  yield* run(enableEndpoint(shop, endpoint.id))
  const test = yield* run(sendTestEvent(shop, endpoint.id))
  yield* run(recover(shop, endpoint.id, { since: "2026-01-01T00:00:00Z" }))
  yield* run(redeliver(shop, endpoint.id, test.id))
  yield* run(tryDelivery(shop, endpoint.id, test.id))
  yield* world.drain
  yield* TestClock.adjust(1000)
  yield* run(resend(shop, endpoint.id, { tests: true }))
  // Nothing is left to send again.
  yield* run(resend(shop, endpoint.id, { tests: true }))
  const stored = yield* world.endpointNow(endpoint)
  yield* run(deleteEndpoint(shop, endpoint.id))
  const secrets = [Redacted.value(text), Redacted.value(secret), Redacted.value(rotated.secret), stored.secret]
  return { world, endpoint, token, secrets, test }
})

describe("The audit of a shop", () => {
  it.effect(
    "MUST have the customizers of an endpoint before and after a change, and none of one for all (D59, D76)",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const { id } = yield* world.endpoint({ url })
        for (const customizers of [[7], [7, 8], null]) {
          yield* world.run(updateEndpoint(world.shop, id, { customizers }))
          yield* TestClock.adjust(1)
        }
        const { data } = yield* world.run(listAudit(world.shop, { limit: 100 }))
        const changes = data
          .filter(({ action }) => action === "endpoint.changed")
          .map(({ after, before }) => [before, after])
        expect(changes.toReversed()).toEqual([
          [{ customizers: null }, { customizers: ["7"] }],
          [{ customizers: ["7"] }, { customizers: ["7", "8"] }],
          [{ customizers: ["7", "8"] }, { customizers: null }],
        ])
      }),
  )

  it.effect("MUST have an entry for every change, with the actor and the fields that changed (D59)", () =>
    Effect.gen(function* () {
      const { endpoint, test, token, world } = yield* busyShop
      const page = yield* world.run(listAudit(world.shop, { limit: 100 }))
      const entries = page.data.filter(({ actor }) => actor.type === "person").toReversed()
      const subject = { type: "endpoint", id: endpoint.id }
      const [was, is] = [{ name: "ERP", hint: token.hint, expiresAt: null, scopes: allScopes }, null]
      const mug = { title: "Mug", platformProductId: "gid://p/Product/2", assetBase: "https://a.example" }
      const before = { events: ["design.ordered", "order.cancelled"], description: "" }
      const options = { heedRetryAfter: false, payload: "full", headers: null }
      const full = { ...before, url, standardWebhooks: false, ...options, status: "active" }
      const later = { events: ["design.ordered"], description: "Shop" }
      expect(
        entries.map((entry) => [entry.action, entry.subject.id, entry.before, entry.after]).toSorted(byAction),
      ).toEqual(
        [
          ["shop.changed", world.shop, { roundingStep: 1 }, { roundingStep: 5 }],
          ["token.created", token.id, null, was],
          ["token.deleted", token.id, was, is],
          ["customizer.created", "8", null, mug],
          ["customizer.published", "8", { version: null }, { version: 1 }],
          ["design.redacted", "a", null, null],
          ["order.redacted", "1", null, null],
          ["design.deleted", "draft", null, null],
          ["endpoint.created", subject.id, null, full],
          ["endpoint.changed", subject.id, before, later],
          ["endpoint.secret_rotated", subject.id, null, { secret: "rotated", oldSecretSignsUntil: expect.any(String) }],
          ["endpoint.secret_promoted", subject.id, null, { secret: "promoted" }],
          ["endpoint.paused", subject.id, { status: "active" }, { status: "paused" }],
          ["endpoint.enabled", subject.id, { status: "paused" }, { status: "active" }],
          ["endpoint.tested", subject.id, null, null],
          [
            "endpoint.recovered",
            subject.id,
            null,
            { since: "2026-01-01T00:00:00.000+00:00", deliveries: expect.any(Number) },
          ],
          ["delivery.redelivered", test.id, null, null],
          ["delivery.tried", test.id, null, null],
          ["endpoint.resent", subject.id, null, { deliveries: expect.any(Number) }],
          ["endpoint.deleted", subject.id, { ...full, ...later }, null],
        ].toSorted(byAction),
      )
      expect(new Set(entries.map(({ actor }) => actor.name))).toEqual(new Set([zoe.name]))
      const others = page.data.filter(({ actor }) => actor.type !== "person")
      expect(others.map(({ action }) => action).toSorted()).toEqual([
        "customizer.created",
        "customizer.published",
        "customizer.published",
        "shop.created",
      ])
      expect(new Set(others.map(({ actor }) => actor.type))).toEqual(new Set(["application"]))
    }),
  )

  it.effect("MUST NOT have a secret, a token or a digest in any entry, whatever is done (D59, D18, D20)", () =>
    Effect.gen(function* () {
      const { secrets, world } = yield* busyShop
      const text = JSON.stringify(yield* world.run(listAudit(world.shop, { limit: 100 })))
      expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
      expect(text).not.toMatch(/cmz_|whsec_|[0-9a-f]{64}/)
    }),
  )

  it.effect(
    "MUST have URLs without the values in their queries, in entries and in the log, and see them change (D59)",
    () =>
      Effect.gen(function* () {
        const { run, shop } = yield* makeWorld()
        const lines: Array<unknown> = []
        const collect = Logger.make(({ message }) => void lines.push(message))
        const of = (secret: string) => ({ url: `https://hooks.example.com/in?key=${secret}&${secret}` })
        yield* Effect.gen(function* () {
          const { endpoint } = yield* run(createEndpoint(shop, of("first-secret")))
          yield* run(updateEndpoint(shop, endpoint.id, of("second-secret")))
          yield* run(updateEndpoint(shop, endpoint.id, of("second-secret")))
          yield* run(deleteEndpoint(shop, endpoint.id))
        }).pipe(Effect.provideService(CurrentActor, managementKey), Effect.provide(Logger.layer([collect])))
        const { data } = yield* run(listAudit(shop, { subject: "endpoint" }))
        const recorded = { url: "https://hooks.example.com/in?key=…&…" }
        expect(data.map(({ action, after, before }) => [action, before, after]).toSorted(byAction)).toEqual([
          ["endpoint.changed", recorded, recorded],
          ["endpoint.created", null, expect.objectContaining(recorded)],
          ["endpoint.deleted", expect.objectContaining(recorded), null],
        ])
        expect(lines).toHaveLength(3)
        expect(JSON.stringify([data, lines])).not.toContain("-secret")
      }),
  )

  it.effect("MUST have no entry for what changes nothing (D59)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const { run, shop } = world
      const endpoint = yield* world.endpoint()
      yield* run(putShop(shop, shopInput))
      yield* run(updateEndpoint(shop, endpoint.id, { description: "" }))
      yield* run(enableEndpoint(shop, endpoint.id))
      yield* run(promoteSecret(shop, endpoint.id))
      yield* placeText(world, ["a"])
      yield* run(redactOrder(shop, "1"))
      yield* run(redactOrder(shop, "1"))
      yield* run(redactDesign(shop, "a"))
      const { data } = yield* run(listAudit(shop))
      expect(data.map(({ action }) => action).toSorted()).toEqual([
        "customizer.created",
        "customizer.published",
        "customizer.published",
        "endpoint.created",
        "order.redacted",
        "shop.created",
      ])
    }),
  )

  it.effect("MUST be kept for 400 days (D59)", () =>
    Effect.gen(function* () {
      const { run, shop } = yield* makeWorld()
      const begun = (yield* run(listAudit(shop))).data
      expect(begun).not.toEqual([])
      yield* TestClock.adjust("400 days")
      yield* run(pruneDeliveries())
      expect((yield* run(listAudit(shop))).data).toEqual(begun)
      yield* TestClock.adjust("1 millis")
      yield* run(pruneDeliveries())
      expect((yield* run(listAudit(shop))).data).toEqual([])
    }),
  )

  it.effect("MUST be listed page by page, and by what it is about and when (D59)", () =>
    Effect.gen(function* () {
      const { endpoint, world } = yield* busyShop
      const list = (input: AuditInput) => world.run(listAudit(world.shop, input))
      const all = yield* list({ limit: 100 })
      const paged: Array<unknown> = []
      let after: string | null = null
      do {
        const page: typeof all = yield* list({ limit: 4, ...(after === null ? {} : { after }) })
        paged.push(...page.data)
        after = page.pagination.nextCursor
      } while (after !== null)
      expect(paged).toEqual(all.data)
      const own = yield* list({ limit: 100, subject: `endpoint:${endpoint.id}` })
      expect(own.data).toEqual(all.data.filter(({ subject }) => subject.id === endpoint.id))
      expect((yield* list({ subject: "token" })).data).toHaveLength(2)
      expect((yield* list({ to: "2026-01-01" })).data).toEqual([])
      expect((yield* list({ limit: 100, from: "2026-01-01" })).data).toEqual(all.data)
    }),
  )

  it.effect("MUST be refused with the name of a parameter that is wrong (D59, D12)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const wrong: ReadonlyArray<readonly [string, AuditInput]> = [
        ["limit", { limit: 101 }],
        ["after", { after: "aud_1" }],
        ["after", { after: "999999999999999.aud_1" }],
        ["after", { after: "1790000000000.tok_1" }],
        ["subject", { subject: "person" }],
        ["subject", { subject: "endpoint:" }],
        ["subject", { subject: "order:\0" }],
        ["from", { from: "yesterday" }],
        ["to", { to: "" }],
      ]
      for (const [path, input] of wrong) {
        const error = yield* Effect.flip(world.run(listAudit(world.shop, input)))
        expect(error).toMatchObject({ _tag: "InvalidInput", problems: [{ path }] })
      }
      expect((yield* Effect.flip(world.run(listAudit("nobody"))))._tag).toBe("NotFound")
    }),
  )

  it.effect("MUST name the management key in the log, with what it changed, and no text from outside (D59)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const lines: Array<string> = []
      const collect = Logger.make(({ message }) => void lines.push(String(message)))
      const { endpoint } = yield* world
        .run(createEndpoint(world.shop, { url, description: "Zoë's" }))
        .pipe(Effect.provideService(CurrentActor, managementKey), Effect.provide(Logger.layer([collect])))
      expect(lines).toEqual([
        `Change of the shop ${world.shop} with the management key: endpoint.created "${endpoint.id}"`,
      ])
    }),
  )
})

const byAction = (one: ReadonlyArray<unknown>, other: ReadonlyArray<unknown>): number =>
  String(one[0]) < String(other[0]) ? -1 : 1

describe("A person", () => {
  it("MUST have a name that a store and a line of a log can keep, whatever it is (D59)", () => {
    expect(person(`a\0\n\ud800${"€".repeat(300)}`).name).toBe(`a  \ufffd${"€".repeat(251)}`)
  })
})
