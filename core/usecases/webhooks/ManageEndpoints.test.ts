/** Managing endpoints (§6, §8, D8, D20, D31, D34–D36), beyond the tests of the management API. */
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Fiber, Logger, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { someTime } from "../../../conformance/suites/storage/support/Fixtures.ts"
import { makeWorld } from "../../../conformance/testkit/workers/TestWorker.ts"
import { format } from "../../model/Instant.ts"
import { type EndpointInput, view } from "../../model/webhooks/Endpoint.ts"
import { EndpointStore } from "../../ports/EndpointStore.ts"
import { LookupFailed } from "../../ports/HostLookup.ts"
import {
  createEndpoint,
  decideEndpoint,
  deleteEndpoint,
  enableEndpoint,
  listEndpoints,
  promoteSecret,
  readEndpoint,
  rotateSecret,
  updateEndpoint,
} from "./ManageEndpoints.ts"

const url = "https://hooks.example.com/"

describe("Adding an endpoint", () => {
  it.effect("MUST look up the name, and refuse it if any of its addresses is not public (§6, D35, D36)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      for (const addresses of [["10.0.0.1"], ["93.184.216.34", "::1"], ["::ffff:169.254.169.254"], []]) {
        world.outside.lookup = () => Effect.succeed(addresses)
        const error = yield* Effect.flip(world.run(createEndpoint(world.shop, { url })))
        expect(error).toMatchObject({ _tag: "Refused", problems: [{ path: "url", message: error.message }] })
      }
      expect(world.outside.asked).toEqual(Array(4).fill("hooks.example.com"))
      expect(yield* world.run(listEndpoints(world.shop))).toEqual([])
    }),
  )

  it.effect("MUST NOT name an address that the look-up found to the owner, but to the log (D35)", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const collect = Logger.make(({ message }) => void lines.push(String(message)))
      const world = yield* makeWorld()
      const { endpoint } = yield* world.run(createEndpoint(world.shop, { url }))
      for (const address of ["10.1.2.3", "fd00::1234"]) {
        world.outside.lookup = () => Effect.succeed(["93.184.216.34", address])
        const input = { url: "https://inside.example.com/" }
        for (const refused of [
          Effect.asVoid(world.run(createEndpoint(world.shop, input))),
          Effect.asVoid(world.run(updateEndpoint(world.shop, endpoint.id, input))),
        ]) {
          lines.length = 0
          const error: { readonly message: string } = yield* Effect.flip(refused).pipe(
            Effect.provide(Logger.layer([collect])),
          )
          expect(JSON.stringify(error)).not.toContain(address)
          expect(error.message).toMatch(/^The URL's host inside\.example\.com has an address that webhooks may not/)
          expect(lines).toEqual([expect.stringContaining(`inside.example.com: "${address}" is not a public address`)])
          expect(lines[0]).toContain(`the shop ${world.shop} `)
        }
      }
    }),
  )

  it.effect("MUST refuse a name that is not found, or not found within 5 seconds", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      world.outside.lookup = () => Effect.fail(new LookupFailed({ message: "There is no such name" }))
      expect(yield* Effect.flip(world.run(createEndpoint(world.shop, { url })))).toMatchObject({
        _tag: "Refused",
        problems: [{ path: "url", message: "There is no such name" }],
      })
      world.outside.lookup = () => Effect.never
      const adding = yield* Effect.forkChild(Effect.flip(world.run(createEndpoint(world.shop, { url }))))
      yield* TestClock.adjust(4999)
      expect(adding.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust(1)
      const message = "The URL's host was not found in time"
      expect(yield* Fiber.join(adding)).toMatchObject({
        _tag: "Refused",
        message,
        problems: [{ path: "url", message }],
      })
    }),
  )

  it.effect("MUST return the stored endpoint, with defaults for missing fields (D31, D41)", () =>
    Effect.gen(function* () {
      const { ports, run, shop } = yield* makeWorld()
      const asked: Array<readonly [secret: string, maximum: number]> = []
      const endpoints = Context.get(ports, EndpointStore)
      const seen = EndpointStore.of({
        ...endpoints,
        add: (record, maximum) =>
          Effect.andThen(
            Effect.sync(() => asked.push([record.secret, maximum])),
            endpoints.add(record, maximum),
          ),
      })
      const add = (input: EndpointInput) => run(Effect.provideService(createEndpoint(shop, input), EndpointStore, seen))
      const { endpoint: byDefault, secret } = yield* add({ url: "https://HOOKS.example.com" })
      expect(byDefault).toEqual({
        id: expect.stringMatching(/^whe_[0-9A-Za-z]{22}$/),
        url,
        description: "",
        events: ["design.ordered", "order.cancelled"],
        status: "active",
        consecutiveFailures: 0,
        switchedOffAt: null,
        createdAt: format(someTime),
        standardWebhooks: false,
        customizers: null,
        heedRetryAfter: false,
        payload: "full",
        ordering: "none",
        maxPerSecond: null,
        maxConcurrent: null,
        headers: [],
        oauth: null,
        clientCertificate: null,
        rotation: null,
      })
      expect(Redacted.value(secret)).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
      const said = { url, description: "mine", events: ["design.created"], standardWebhooks: true } as const
      const { endpoint } = yield* add(said)
      expect(endpoint).toEqual({ ...byDefault, ...said, id: endpoint.id })
      expect(yield* run(listEndpoints(shop))).toEqual(
        [byDefault, endpoint].toSorted((left, right) => (left.id < right.id ? -1 : 1)),
      )
      expect(asked.map(([sealed, maximum]) => [sealed.includes(Redacted.value(secret)), maximum])).toEqual([
        [false, 5],
        [false, 5],
      ])
    }),
  )

  it.effect("MUST check the input before the plan and the plan before the URL, and look up only an accepted URL", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ plan: "free" })
      const add = (input: unknown) => Effect.flip(world.run(createEndpoint(world.shop, input as EndpointInput)))
      expect((yield* add({ url: 1 }))._tag).toBe("InvalidInput")
      expect((yield* add({ url: "https://10.0.0.1/" }))._tag).toBe("PlanRequired")
      expect(
        (yield* Effect.flip(world.run(createEndpoint("nobodys", { url: 1 } as unknown as EndpointInput))))._tag,
      ).toBe("NotFound")
      expect(world.outside.asked).toEqual([])
    }),
  )

  it.effect("MUST keep at most 5, even if the look-ups of several end at the same moment (§8, D31)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      world.outside.lookup = () => Effect.as(Effect.sleep(100), ["93.184.216.34"])
      const adding = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 12 }, () => Effect.result(world.run(createEndpoint(world.shop, { url })))),
          { concurrency: "unbounded" },
        ),
      )
      yield* TestClock.adjust(100)
      const tags = (yield* Fiber.join(adding)).map((result) =>
        result._tag === "Success" ? "added" : result.failure._tag,
      )
      expect(tags.toSorted()).toEqual([...Array(7).fill("Conflict"), ...Array(5).fill("added")])
      expect(yield* Effect.flip(world.run(createEndpoint(world.shop, { url: "https://10.0.0.1/" })))).toMatchObject({
        _tag: "Refused",
      })
      const sixth = yield* Effect.forkChild(Effect.flip(world.run(createEndpoint(world.shop, { url }))))
      yield* TestClock.adjust(100)
      expect(yield* Fiber.join(sixth)).toMatchObject({
        _tag: "Conflict",
        message: "The shop has 5 endpoints already, the most there can be",
      })
      expect(yield* world.run(listEndpoints(world.shop))).toHaveLength(5)
    }),
  )

  it.effect("MUST give each its own secret and id, and the time at which it was added (D9, D20)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const made = [yield* world.endpoint(), yield* world.endpoint()]
      expect(new Set(made.map(({ shown }) => shown)).size).toBe(2)
      expect(new Set(made.map(({ id }) => id)).size).toBe(2)
      expect(made.map(({ createdAt }) => createdAt)).toEqual([someTime, someTime])
      for (const { shown } of made) expect(Buffer.from(shown.slice("whsec_".length), "base64")).toHaveLength(32)
    }),
  )
})

describe("Changing an endpoint", () => {
  it.effect("MUST check the addresses of a new URL, and none if the URL stays (D36)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint({ url })
      world.outside.asked.length = 0
      world.outside.lookup = () => Effect.succeed(["192.168.0.1"])
      const changed = yield* world.run(updateEndpoint(world.shop, endpoint.id, { description: "moved" }))
      expect([changed.description, changed.url]).toEqual(["moved", url])
      expect(world.outside.asked).toEqual([])
      const moving = world.run(
        updateEndpoint(world.shop, endpoint.id, { url: "https://new.example.com/", description: "x" }),
      )
      expect((yield* Effect.flip(moving))._tag).toBe("Refused")
      expect(world.outside.asked).toEqual(["new.example.com"])
      expect(view(yield* world.endpointNow(endpoint))).toEqual(changed)
    }),
  )

  it.effect("MUST change the given fields, one or several, and leave the rest", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const { id } = yield* world.endpoint({ url })
      let expected = yield* world.run(readEndpoint(world.shop, id))
      for (const change of [
        { description: "first" },
        { events: ["design.created"] },
        { standardWebhooks: true },
        { customizers: [7, 8] },
        { heedRetryAfter: true },
        { payload: "reference" },
        { ordering: "object" },
        { url: "https://new.example.com/hook" },
        {},
        { description: "", standardWebhooks: false },
      ] as const) {
        expected = { ...expected, ...change }
        expect(yield* world.run(updateEndpoint(world.shop, id, change))).toEqual(expected)
        expect(yield* world.run(readEndpoint(world.shop, id))).toEqual(expected)
      }
      expect(yield* Effect.flip(world.run(updateEndpoint(world.shop, id, { events: [] })))).toMatchObject({
        _tag: "InvalidInput",
        problems: [{ path: "events" }],
      })
    }),
  )

  it.effect(
    "MUST have a pace of 1 to 1,000 a second and 1 to 8 at the same time, or none, and refuse others (D54)",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const { id } = yield* world.endpoint({ url })
        for (const [name, most] of [
          ["maxPerSecond", 1000],
          ["maxConcurrent", 8],
        ] as const) {
          const change = (limit: unknown) =>
            world.run(updateEndpoint(world.shop, id, { [name]: limit } as unknown as EndpointInput))
          for (const limit of [1, most]) expect(yield* change(limit)).toMatchObject({ [name]: limit })
          for (const unread of [0, -1, 1.5, most + 1, "5", true, [1], Number.MAX_SAFE_INTEGER]) {
            expect(yield* Effect.flip(change(unread))).toMatchObject({
              _tag: "InvalidInput",
              problems: [{ path: name }],
            })
          }
          expect(yield* world.run(readEndpoint(world.shop, id))).toMatchObject({ [name]: most })
          expect(yield* change(null)).toMatchObject({ [name]: null })
        }
      }),
  )

  it.effect("MUST name 1 to 100 customizers, each once, or all, and refuse other lists (D76)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)
      const { id } = yield* world.endpoint({ url })
      const change = (customizers: unknown) =>
        world.run(updateEndpoint(world.shop, id, { customizers } as EndpointInput))
      yield* change([9_007_199_254_740_991])
      for (const unread of [[], upTo(101), [7, 8, 7], [0], [-7], [1.5], ["7"], [9_007_199_254_740_992], "7", 7]) {
        expect(yield* Effect.flip(change(unread))).toMatchObject({
          _tag: "InvalidInput",
          problems: [{ path: expect.stringMatching(/^customizers/) }],
        })
      }
      expect((yield* world.run(readEndpoint(world.shop, id))).customizers).toEqual([9_007_199_254_740_991])
      for (const ids of [upTo(100), [7], null]) expect((yield* change(ids)).customizers).toEqual(ids)
    }),
  )

  it.effect("MUST leave its secret, its health and its deliveries (D24)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint({ url })
      yield* world.order("1", ["d-1"])
      const log = yield* world.log(endpoint)
      const fields = {
        url: "https://new.example.com/",
        events: ["design.ordered", "design.created"] as const,
        description: "all",
      }
      yield* world.run(updateEndpoint(world.shop, endpoint.id, fields))
      const { shown: _, ...before } = endpoint
      expect(yield* world.endpointNow(endpoint)).toEqual({
        ...before,
        url: fields.url,
        kinds: fields.events,
        description: "all",
      })
      expect(yield* world.log(endpoint)).toEqual(log)
    }),
  )

  it.effect("MUST fail with NotFound for another shop's endpoint, before any other check", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const stranger = yield* makeWorld({ ports: world.ports })
      const { id } = yield* stranger.endpoint()
      for (const missing of [id, "whe_x", "", "\0", "\ud800"]) {
        for (const effect of [
          readEndpoint(world.shop, missing),
          updateEndpoint(world.shop, missing, { url: 1 } as unknown as EndpointInput),
          enableEndpoint(world.shop, missing),
          rotateSecret(world.shop, missing, { overlap: -1 }),
          promoteSecret(world.shop, missing),
          deleteEndpoint(world.shop, missing),
        ]) {
          expect((yield* Effect.flip(world.run(effect as ReturnType<typeof readEndpoint>)))._tag).toBe("NotFound")
        }
      }
      expect((yield* stranger.endpointNow({ id })).id).toBe(id)
    }),
  )
})

describe("An endpoint that is removed at the same moment", () => {
  it.effect("MUST be refused with NotFound (D31)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoints = Context.get(world.ports, EndpointStore)
      const { run } = yield* makeWorld({
        ports: Context.add(world.ports, EndpointStore, {
          ...endpoints,
          // The state before the other call.
          find: (shop, id) => Effect.tap(endpoints.find(shop, id), () => endpoints.remove(shop, id)),
        }),
      })
      const calls: ReadonlyArray<(id: string) => Effect.Effect<unknown, unknown>> = [
        (id) => run(updateEndpoint(world.shop, id, { description: "x" })),
        (id) => run(enableEndpoint(world.shop, id)),
        (id) => run(promoteSecret(world.shop, id)),
        (id) => run(rotateSecret(world.shop, id)),
      ]
      for (const call of calls) {
        const { id } = yield* world.endpoint()
        expect(yield* Effect.flip(call(id))).toMatchObject({ _tag: "NotFound" })
      }
    }),
  )

  it.effect("MUST be gone with its secret for the shop that removes it, and for no other shop", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const [gone, left] = [yield* world.endpoint(), yield* world.endpoint()]
      yield* world.run(deleteEndpoint(world.shop, gone.id))
      expect((yield* world.run(listEndpoints(world.shop))).map(({ id }) => id)).toEqual([left.id])
    }),
  )
})

describe("Rotating a secret", () => {
  it.effect("MUST be refused for an overlap of more than 7 days, and name the field (D40)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const { id } = yield* world.endpoint()
      for (const overlap of [604_801, -1, 0.5]) {
        expect(yield* Effect.flip(world.run(rotateSecret(world.shop, id, { overlap })))).toMatchObject({
          _tag: "InvalidInput",
          problems: [{ path: "overlap" }],
        })
      }
      const { endpoint } = yield* world.run(rotateSecret(world.shop, id, { overlap: 60 }))
      expect(endpoint.rotation).toEqual({ until: format(someTime + 60_000) })
    }),
  )
})

describe("Changing an endpoint that another changes meanwhile", () => {
  const headers = { authorization: "Basic abc" }
  /** Runs an effect that waits now and then, in virtual time. */
  const waiting = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
    const running = yield* Effect.forkChild(effect)
    while (running.pollUnsafe() === undefined) {
      yield* Effect.promise(() => new Promise((next) => setImmediate(next)))
      yield* TestClock.adjust("1 second")
    }
    return yield* Fiber.join(running)
  })
  const oauth = { tokenUrl: url, clientId: "c", clientSecret: "s" }

  it.effect("MUST be decided again by what the other has stored", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const { endpoint } = yield* world.run(createEndpoint(world.shop, { url }))
      const seen: Array<string> = []
      const decided = decideEndpoint(world.shop, endpoint.id, ({ description }) => {
        seen.push(description)
        const others =
          seen.length > 2 ? Effect.void : updateEndpoint(world.shop, endpoint.id, { description: `${seen.length}` })
        return Effect.as(others, { description: `${description} and mine` })
      })
      expect(yield* waiting(world.run(decided))).toMatchObject({ description: "2 and mine" })
      expect(seen).toEqual(["", "1", "2"])
    }),
  )

  it.effect("MUST NOT leave two authorizations, and end if others change it without end", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const { endpoint } = yield* world.run(createEndpoint(world.shop, { url }))
      const update = (input: Parameters<typeof updateEndpoint>[2]) => updateEndpoint(world.shop, endpoint.id, input)
      const both = decideEndpoint(world.shop, endpoint.id, () => Effect.as(update({ oauth }), { headers }))
      const refused = yield* waiting(Effect.flip(world.run(both)))
      expect(refused).toMatchObject({ _tag: "Refused", problems: [{ path: "oauth" }] })
      let times = 0
      const restless = decideEndpoint(world.shop, endpoint.id, () =>
        Effect.as(
          Effect.suspend(() => update({ description: `${times++}` })),
          { standardWebhooks: true },
        ),
      )
      const ended = yield* waiting(Effect.flip(world.run(restless)))
      expect(ended).toMatchObject({ _tag: "StorageError", isRetryable: true })
    }),
  )
})
