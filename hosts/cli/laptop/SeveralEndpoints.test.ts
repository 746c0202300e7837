/** `trigger ping` and `deliveries` for shops with several endpoints and many deliveries: whichever place one has. */
import { expect, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { linesOf, sentAgain } from "./EndpointLogs.ts"
import type { Call, ManagedShop } from "./Manage.ts"
import { Refusal } from "./Refusal.ts"
import { happen } from "./ShopEvents.ts"

const endpoints = ["a", "b", "c", "d", "e"].map((name) => ({ id: `whe_${name}`, url: `https://${name}.example.com/` }))

const delivery = (id: string) => ({
  ...{ id, eventId: "evt_1", event: "design.ordered", test: false, status: "pending" },
  ...{ createdAt: "2026-10-05T14:48:00.000+00:00", nextAttemptAt: null, attempts: [] },
})

/** The service's logs: 120 deliveries to each endpoint, in pages that end early. */
const logs = new Map(
  endpoints.map(({ id }) => [id, Array.from({ length: 120 }, (_, index) => `dlv_${id.slice(4)}${index}`)]),
)

/** A shop whose service refuses test events to some endpoints, and pages of which have few deliveries. */
const shopOf = ({ failing = [] as ReadonlyArray<string>, page = 7 } = {}): ManagedShop => {
  const call: Call = async (method, path) => {
    const url = new URL(path, "http://host.test")
    const [, , endpoint = "", , id = ""] = url.pathname.split("/")
    if (path === "/webhooks") return { data: endpoints }
    if (url.pathname.endsWith("/test")) {
      if (failing.includes(endpoint)) throw new Refusal("the plan has no webhooks", 409)
      return delivery(`dlv_${endpoint}_test`)
    }
    const log = logs.get(endpoint) ?? []
    if (method === "POST") {
      if (!log.includes(id)) throw new Refusal("The endpoint has no such delivery", 404)
      return delivery(`${id}_again`)
    }
    const from = Number(url.searchParams.get("after") ?? 0)
    const nextCursor = from + page < log.length ? String(from + page) : null
    return { data: log.slice(from, from + page).map(delivery), pagination: { limit: 50, nextCursor } }
  }
  return { shop: "acme", call }
}

const all = { endpoint: Option.none() }

it.effect("a ping MUST go to every endpoint, and name each that fails, whichever place it has", () =>
  Effect.gen(function* () {
    for (const failing of [[], ["whe_a"], ["whe_c"], ["whe_e"], ["whe_b", "whe_d"], endpoints.map(({ id }) => id)]) {
      const { failed, lines } = yield* Effect.promise(() => happen(shopOf({ failing }), "ping"))
      const isFailing = ({ id }: (typeof endpoints)[number]) => failing.includes(id)
      expect(failed).toEqual(
        endpoints.filter(isFailing).map(({ url }) => `No test event to ${url}: the plan has no webhooks`),
      )
      expect(lines).toHaveLength(endpoints.length - failing.length)
      for (const { url } of endpoints.filter((each) => !isFailing(each))) expect(lines.join("\n")).toContain(url)
    }
  }),
)

it.effect("a delivery MUST be sent again whichever endpoint it belongs to, and wherever its log has it", () =>
  Effect.gen(function* () {
    for (const { id, url } of endpoints) {
      for (const delivery of [0, 49, 50, 119].map((index) => `dlv_${id.slice(4)}${index}`)) {
        const line = `${delivery}_again  design.ordered  to ${url}`
        expect(yield* sentAgain(shopOf(), { ...all, delivery })).toBe(line)
        expect(yield* sentAgain(shopOf(), { endpoint: Option.some(id), delivery })).toBe(line)
      }
    }
    const other = { endpoint: Option.some("whe_b"), delivery: "dlv_a0" }
    expect((yield* Effect.flip(sentAgain(shopOf(), other))).message).toContain("dlv_a0")
  }),
)

it.effect("a list MUST have the newest 50 deliveries of each endpoint, whatever its pages have", () =>
  Effect.gen(function* () {
    for (const page of [1, 7, 50, 100]) {
      const lines = yield* linesOf(shopOf({ page }), all)
      const listed = lines.flatMap((line) => /dlv_\w+/.exec(line) ?? [])
      expect(listed).toEqual(endpoints.flatMap(({ id }) => logs.get(id)?.slice(0, 50) ?? []))
    }
    const one = yield* linesOf(shopOf(), { endpoint: Option.some("whe_c") })
    expect(one[0]).toBe("whe_c  https://c.example.com/")
    expect(one).toHaveLength(51)
    const unknown = yield* Effect.flip(linesOf(shopOf(), { endpoint: Option.some("whe_x") }))
    expect(unknown.message).toContain("whe_x")
  }),
)
