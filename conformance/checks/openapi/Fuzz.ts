/** Sends random requests based on a document, and checks that it describes every response. */
import { Effect, Logger } from "effect"
import { TestClock } from "effect/testing"
import { TokenRateLimit } from "../../../core/usecases/access/LimitRequest.ts"
import { KeyLimit } from "../../../hosts/manage/index.ts"
import { manageKey } from "../../testkit/hosts/TestHost.ts"
import { random } from "../../testkit/requests/Draw.ts"
import { undescribed } from "./Described.ts"
import { type ApiName, documents } from "./Documents.ts"
import { makeDraw } from "./RandomJson.ts"
import { type FuzzRequest, type Known, makeRequests } from "./Requests.ts"
import { sampleHost } from "./SampleHost.ts"
import { fillShop, managing, sampleShop } from "./SampleShop.ts"

/** The result. */
export interface Fuzzed {
  readonly requests: number
  /** Number of responses per status, by API. */
  readonly statuses: Readonly<Record<string, number>>
  readonly problems: ReadonlyArray<{ readonly request: FuzzRequest; readonly problem: string }>
}

/** Requests per host. Afterwards host and content are recreated, because many requests change or remove content. */
const perHost = 1_000

/** A host with the sample shop, and known names for requests. */
const filled = Effect.fnUntraced(function* (seed: number) {
  const { receive, send } = yield* sampleHost({ seed })
  const ask = managing(send)
  const { customizers, designs, id: demo, orders } = sampleShop
  const ids = {
    endpoint: [] as Array<string>,
    delivery: [] as Array<string>,
    tokens: [] as Array<string>,
    inbox: [] as Array<string>,
  }
  const tokens: Array<string> = []
  for (const name of [demo, "other"]) {
    yield* fillShop(ask, name, { designs: designs.slice(0, 12), orders: orders.slice(0, 4) })
    for (let number = 0; number < 2; number++) {
      const made = yield* ask("POST", `/shops/${name}/tokens`, { name: `Token ${number}` })
      tokens.push(String(made["token"]))
      ids.tokens.push(String(made["id"]))
    }
    const endpoint = String((yield* ask("POST", `/shops/${name}/webhooks`, { url: "https://erp.example.com/" }))["id"])
    ids.endpoint.push(endpoint)
    ids.delivery.push(String((yield* ask("POST", `/shops/${name}/webhooks/${endpoint}/test`))["id"]))
    for (const order of [1, 2]) ids.inbox.push(yield* receive(name, order, [`later-${order}`]))
  }
  const known: Record<ApiName, Known> = {
    rest: {
      ids: {
        platformOrderId: orders.slice(0, 5).map(({ id }) => id),
        designs: designs.slice(0, 13).map(({ id }) => id),
        customizers: [...customizers.map(({ id }) => id), "7", "0", "1e2"],
      },
      keys: tokens,
      etags: [],
      cursors: [],
    },
    manage: {
      ids: {
        ...ids,
        shop: [demo, "other", demo, "other", "new"],
        designs: designs.slice(0, 14).map(({ id }) => id),
        orders: orders.slice(0, 6).map(({ id }) => id),
        customizers: [...customizers.map(({ id }) => id), "7"],
      },
      keys: [manageKey],
      etags: [],
      cursors: [],
    },
  }
  return { send, known }
})

/** Names in responses for later requests. */
const learn = (known: Known, headers: Readonly<Record<string, string | undefined>>, text: string): Known => {
  const etag = headers["etag"]
  const cursor = /"nextCursor":"([^"]+)"/.exec(text)?.[1]
  if (etag === undefined && cursor === undefined) return known
  return {
    ...known,
    etags: etag === undefined ? known.etags : [...known.etags, etag].slice(-20),
    cursors: cursor === undefined ? known.cursors : [...known.cursors, cursor].slice(-20),
  }
}

/** Sends this many requests, equal for equal seeds. */
export const fuzz = Effect.fnUntraced(
  function* (requests: number, seed: number) {
    const draw = makeDraw(random(seed))
    const next = { rest: makeRequests(documents.rest, draw), manage: makeRequests(documents.manage, draw) }
    const statuses: Record<string, number> = {}
    const problems: Array<{ request: FuzzRequest; problem: string }> = []
    const some = Effect.fnUntraced(function* (count: number, round: number) {
      const { known, send } = yield* filled(seed + round)
      for (let sent = 0; sent < count; sent++) {
        const api = draw.chance(0.3) ? "rest" : "manage"
        const request = next[api](known[api])
        const answer = yield* send(request.method, request.path, request.sent).pipe(
          Effect.catchDefect((defect) => Effect.succeed(String(defect))),
        )
        if (typeof answer === "string") {
          problems.push({ request, problem: answer })
          continue
        }
        const key = `${api} ${answer.status}`
        statuses[key] = (statuses[key] ?? 0) + 1
        const found = [
          ...(answer.status >= 500 ? [`the status ${answer.status}`] : []),
          ...undescribed(request.method, request.path, answer),
        ]
        for (const problem of found) problems.push({ request, problem })
        known[api] = learn(known[api], answer.headers, answer.text)
      }
    }, Effect.scoped)
    for (let round = 0; round * perHost < requests; round++) {
      yield* some(Math.min(perHost, requests - round * perHost), round)
    }
    const fuzzed: Fuzzed = { requests, statuses, problems }
    return fuzzed
  },
  Effect.provideService(TokenRateLimit, { limit: 1_000_000, window: 60_000 }),
  Effect.provideService(KeyLimit, null),
  Effect.provide([TestClock.layer(), Logger.layer([])]),
)
