/** A shop that leaves rows in every table, made through the APIs of a host, and what the host answers about it. */
import { Clock, Context, Effect } from "effect"
import { TestClock } from "effect/testing"
import type { Json } from "../../../core/model/json/Json.ts"
import type { StoragePorts } from "../../../core/ports/StoragePorts.ts"
import { Upkeep } from "../../../core/ports/Upkeep.ts"
import { shopInput } from "../../suites/service/Samples.ts"
import { bodyOf, manage, newDesign, newOrder, newToken, publishVector, read } from "../../testkit/hosts/TestHost.ts"
import { responseOf } from "../../testkit/workers/Outside.ts"
import { sampleHost } from "../openapi/SampleHost.ts"

/** What users hold of a database: all of it must still be true after every later migration. */
export interface Kept {
  readonly token: string
  /** The signing secrets of each endpoint, by its id. The new one of a rotation comes last. */
  readonly secrets: Readonly<Record<string, ReadonlyArray<string>>>
  /** The answers of the REST API, and of the management API, by path. */
  readonly rest: Readonly<Record<string, Json>>
  readonly manage: Readonly<Record<string, Json>>
}

/** Webhooks of the sample shop, as paths of the management API. */
const webhooks = "/shops/acme/webhooks"

/** Does all steps of upkeep: keeps one delivery of each endpoint in the log, and events as long as one needs them. */
export const upkeep = Effect.fnUntraced(function* (ports: Context.Context<StoragePorts>) {
  const { prune } = Context.get(ports, Upkeep)
  const now = yield* Clock.currentTimeMillis
  let after: string | null = null
  do {
    after = yield* prune({ keep: 1, eventsBefore: now, now, limit: 1_000, after })
  } while (after !== null)
})

/** Fills an empty store. */
export const fill = Effect.fnUntraced(
  function* (ports: Context.Context<StoragePorts>) {
    const { deliver, receivers, send } = yield* sampleHost({ ports })
    const secrets: Record<string, Array<string>> = {}
    const failing = new Set<string>()
    receivers.respond = ({ request }) =>
      Effect.succeed(failing.has(request.url) ? responseOf(500, "down") : responseOf(200, "received"))
    const post = (path: string, body?: unknown) =>
      Effect.flatMap(manage(send, "POST", path, body), (answer) => bodyOf(answer.status === 201 ? 201 : 200, answer))

    /** Adds an endpoint at a host. Answers its path. */
    const createEndpoint = Effect.fnUntraced(function* (host: string, fields: Json = {}) {
      const { id, secret } = yield* post(webhooks, { url: `https://${host}/hook`, description: host, ...fields })
      secrets[String(id)] = [String(secret)]
      return `${webhooks}/${id}`
    })

    const shop = {
      id: "acme",
      ...(yield* Effect.andThen(manage(send, "PUT", "/shops/acme", shopInput), newToken(send, "acme"))),
    }
    yield* publishVector(send, shop, 101)

    // One endpoint fails until it is switched off, which leaves a delivery suspended. Upkeep then forgets what the
    // other has received, but for the events that are still needed, and counts the order.
    const kinds = ["design.ordered", "order.cancelled", "design.created"]
    yield* createEndpoint("proven.example.com", { events: kinds })
    yield* createEndpoint("off.example.com")
    failing.add("https://off.example.com/hook")
    for (const id of ["a", "b"]) yield* newDesign(send, shop, id)
    yield* newOrder(send, shop, "1001", ["a", "b"])
    yield* post("/shops/acme/orders/1001/cancel")
    for (let hours = 0; hours < 40; hours++) {
      yield* Effect.orDie(deliver)
      yield* TestClock.adjust("1 hour")
    }
    yield* newDesign(send, shop, "draft")
    yield* Effect.orDie(deliver)
    yield* Effect.orDie(upkeep(ports))
    yield* manage(send, "PUT", "/shops/gone", shopInput)
    yield* manage(send, "DELETE", "/shops/gone")

    // One delivery is scheduled for its second attempt, others are due at an endpoint that is proven and at new ones.
    yield* createEndpoint("retried.example.com")
    failing.add("https://retried.example.com/hook")
    yield* newDesign(send, shop, "c")
    yield* newOrder(send, shop, "1002", ["c"], "2026-10-06T14:48:00Z")
    yield* Effect.orDie(deliver)
    yield* createEndpoint("standard.example.com", { standardWebhooks: true })
    const rotating = yield* createEndpoint("rotating.example.com")
    const rotated = yield* post(`${rotating}/secret/rotate`, { overlap: 604_800 })
    secrets[String(rotated["id"])]?.push(String(rotated["secret"]))
    yield* newDesign(send, shop, "d")
    yield* newOrder(send, shop, "1003", ["d"], "2026-10-07T14:48:00Z")

    const rest: Record<string, Json> = {}
    const ask = Effect.fnUntraced(function* (path: string) {
      const body = yield* bodyOf(200, yield* read(send, shop.token, path))
      rest[path] = body
      return (body["pagination"] as Json | undefined)?.["nextCursor"]
    })
    for (const path of ["/orders", "/orders/1001", "/designs/a", "/designs/draft", "/customizers/101"]) yield* ask(path)
    yield* ask(`/orders?limit=2&cursor=${yield* ask("/orders?limit=2")}`)
    yield* ask(`/events?limit=2&after=${yield* ask("/events?limit=2")}`)
    yield* ask("/events")
    yield* TestClock.adjust("1 minute")

    const managed: Record<string, Json> = {}
    const logs = Object.keys(secrets).map((id) => `${webhooks}/${id}/deliveries`)
    for (const path of ["/shops", "/shops/acme", "/shops/acme/tokens", webhooks, ...logs]) {
      managed[path] = yield* bodyOf(200, yield* manage(send, "GET", path))
    }
    return { token: shop.token, secrets, rest, manage: managed } satisfies Kept
  },
  Effect.scoped,
  Effect.provide(TestClock.layer()),
)
