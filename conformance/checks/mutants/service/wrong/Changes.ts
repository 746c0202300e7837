/** Ways to plant a fault, in a row each: changes of answers, of requests, of calls and of deliveries. */
import { createHmac } from "node:crypto"
import { CallRefused, type DriverCalls } from "../../../../suites/service/ServiceDriver.ts"
import type {
  Pass,
  PassedAnswer,
  PassedDelivery,
  PassedRequest,
  ServiceFault,
  WholeDriver,
  World,
} from "../ServiceFault.ts"

/** What a fault changes, without its name. */
export type Hooks = Omit<ServiceFault, "title" | "caughtBy">

/** A fault that the case must notice. */
export const fault = (title: string, caughtBy: string, hooks: Hooks | (() => Hooks)): ServiceFault => ({
  ...{ title, caughtBy },
  ...(typeof hooks === "function" ? hooks() : hooks),
})

/** An object of the wire, as far as faults change it. */
export interface Wire {
  [field: string]: unknown
}

interface Design extends Wire {
  readonly id: string
  readonly status: string
  readonly selection: Wire
  readonly price: Wire
  readonly images: Wire
  readonly customizer: Wire
  readonly summary: ReadonlyArray<Wire>
  readonly productionData: ReadonlyArray<Wire>
}

interface Order extends Wire {
  readonly id: string
  readonly status: string
  readonly orderedAt: string
  readonly total: number
  readonly designs: ReadonlyArray<Design>
}

interface Page<Item> {
  readonly data: ReadonlyArray<Item>
  readonly pagination: Wire
}

/** Whether a request is for a list. */
export const isList = (name: "orders" | "events", path: string): boolean => new RegExp(`/v1/${name}(\\?|$)`).test(path)

/** Changes bodies at paths. Those with views like numbers stay: to parse them is a fault of its own. */
export const body = <A>(paths: RegExp, change: (value: A, path: string) => unknown): Hooks => ({
  answers: (answer, { path }) =>
    answer.status === 200 && paths.test(path) && !/^$|"images":\{"10"/.test(answer.body)
      ? { ...answer, body: JSON.stringify(change(JSON.parse(answer.body), path)) }
      : answer,
})

export const pages = (change: (page: Page<Order>, path: string) => unknown): Hooks => body(/\/v1\/orders(\?|$)/, change)

export const feed = (change: (page: Page<Wire>, path: string) => unknown): Hooks => body(/\/v1\/events(\?|$)/, change)

/** Changes orders wherever they are answered. */
export const orders = (change: (order: Order) => object): Hooks => {
  const lists = pages((page) => ({ ...page, data: page.data.map(change) }))
  const alone = body(/\/orders\/[^?]/, change)
  return { answers: (answer, asked) => alone.answers?.(lists.answers?.(answer, asked) ?? answer, asked) ?? answer }
}

export const design = (change: (design: Design) => object): Hooks => body(/\/designs\/[^?]/, change)

/** Changes designs wherever they are answered. */
export const designs = (change: (design: Design) => object): Hooks => {
  const inside = orders((order) => ({ ...order, designs: order.designs.map(change) }))
  const alone = design(change)
  return { answers: (answer, asked) => alone.answers?.(inside.answers?.(answer, asked) ?? answer, asked) ?? answer }
}

/** An object with its fields in another order. */
export const turned = (value: unknown): object => Object.fromEntries(Object.entries(value as object).toReversed())

export const sorted = (value: object): object => Object.fromEntries(Object.entries(value).toSorted())

/** Replaces a part of bodies, at paths. */
export const text = (from: RegExp | string, to: string | ((part: string) => string), paths = /./): Hooks => ({
  answers: (answer, { path }) =>
    paths.test(path) ? { ...answer, body: answer.body.replaceAll(from, to as string) } : answer,
})

/** Answers with another status to requests such as `GET /api/v1/orders`. */
export const status = (from: number, to: number, asked = /./): Hooks => ({
  answers: (answer, { method, path }) => {
    const isMeant = answer.status === from && asked.test(`${method} ${path}`)
    return isMeant ? { ...answer, status: to, body: from < 300 ? '{"message":"no"}' : answer.body } : answer
  },
})

/** Replaces a header of answers; undefined removes it. */
export const header = (
  name: string,
  change: (value: string, answer: PassedAnswer, asked: PassedRequest) => string | undefined,
): Hooks => ({
  answers: (answer, asked) => {
    const { [name]: before = "", ...others } = answer.headers
    const value = change(before, answer, asked)
    return { ...answer, headers: { ...others, ...(value ? { [name]: value } : {}) } }
  },
})

/** Asks the service for another path. */
export const asks = (from: RegExp | string, to: string | ((part: string) => string)): Hooks => ({
  asks: (path) => path.replace(from, to as string),
})

/** Sends the service another header. */
export const sent = (name: string, change: (value: string) => string | undefined): Hooks => ({
  handles: ({ headers }, pass) => {
    const value = headers[name]
    return pass(typeof value === "string" ? { headers: { [name]: change(value) } } : {})
  },
})

/** The token of a request. */
export const tokenOf = ({ headers }: PassedRequest): string =>
  /^bearer +(\S+)/i.exec(headers.authorization ?? "")?.[1] ?? ""

/** Answers a cursor that another one got in another way. */
export const cursors = (
  ownerOf: (asked: PassedRequest, world: World) => string,
  otherwise: (asked: PassedRequest, pass: Pass) => Promise<PassedAnswer>,
): Hooks => {
  const owners = new Map<string, string>()
  return {
    handles: async (asked, pass, world) => {
      const { searchParams } = new URL(asked.path, "http://a")
      const owner = ownerOf(asked, world)
      const given = searchParams.get("cursor") ?? searchParams.get("after") ?? ""
      if ((owners.get(given) ?? owner) !== owner) return otherwise(asked, pass)
      const answer = await pass()
      const next = /"nextCursor":"([^"]+)"/.exec(answer.body)?.[1]
      if (next !== undefined) owners.set(next, owner)
      return answer
    },
  }
}

export const shopOf = (asked: PassedRequest, { tokens }: World): string => tokens.get(tokenOf(asked))?.shop ?? ""

/** Carries out a call in another way. */
export const call = <C extends keyof WholeDriver>(
  name: C,
  change: (
    own: (given: DriverCalls[C]["given"]) => Promise<DriverCalls[C]["answer"]>,
    given: DriverCalls[C]["given"],
    world: World,
  ) => unknown,
): Hooks => ({
  drives: (driver, world) => {
    const own = driver[name] as (given: DriverCalls[C]["given"]) => Promise<DriverCalls[C]["answer"]>
    return { [name]: async (given: DriverCalls[C]["given"]) => change(own, given, world) } as Partial<WholeDriver>
  },
})

/** Takes a call for done that the service refuses, if its input or the refusal fits. */
export const accepting = <C extends keyof WholeDriver>(name: C, when: RegExp, answer: unknown = null): Hooks =>
  call(name, (own, given) =>
    own(given).catch((error: unknown) => {
      if (!(error instanceof CallRefused)) throw error
      if (!when.test(`${JSON.stringify(given)} ${error.status} ${error.message}`)) throw error
      return answer as DriverCalls[C]["answer"]
    }),
  )

/** Refuses a call whose input fits. */
export const refusing = <C extends keyof WholeDriver>(name: C, when: RegExp): Hooks =>
  call(name, (own, given) => {
    if (when.test(JSON.stringify(given))) throw new CallRefused("refused", 422)
    return own(given)
  })

/** A delivery with another body, signed as the service would have signed it. */
export const signed = (delivery: PassedDelivery, { secrets }: World): PassedDelivery => {
  const hmac = createHmac("sha256", secrets.get(delivery.target) ?? "")
  const signature = hmac.update(`${delivery.headers["X-Service-Timestamp"]}.${delivery.body}`).digest("hex")
  return { ...delivery, headers: { ...delivery.headers, "X-Service-Signature": signature } }
}

/** An event on its way, as far as faults change it. */
export interface Event extends Wire {
  readonly id: string
  readonly event: string
  readonly test: boolean
  readonly data: { readonly design?: Design; readonly order?: Order }
}

type Sends = NonNullable<Hooks["sends"]>

/** Sends deliveries in another way. `count` is the number of the attempt, from 1. */
export const sends = (
  own: (given: {
    readonly count: number
    readonly delivery: PassedDelivery
    readonly event: Event
    readonly send: Parameters<Sends>[1]
    readonly world: World
  }) => ReturnType<Sends>,
): Hooks => {
  const counts = new Map<string, number>()
  return {
    sends: (delivery, send, world) => {
      const key = delivery.headers["X-Service-Delivery"] ?? ""
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return own({ count, delivery, event: JSON.parse(delivery.body), send, world })
    },
  }
}

/** Changes events before they are signed. */
export const events = (change: (event: Event, count: number, id: string) => object): Hooks =>
  sends(({ count, delivery, event, send, world }) => {
    const changed = JSON.stringify(change(event, count, delivery.headers["X-Service-Delivery"] ?? ""))
    return send(signed({ ...delivery, body: changed }, world))
  })

/** The answer of a receiver that takes everything. */
export const taken = { status: 200, headers: {}, body: "" }
