import type { ServiceFault } from "../ServiceFault.ts"
import {
  accepting,
  asks,
  call,
  cursors,
  designs,
  fault,
  feed,
  header,
  isList,
  shopOf,
  status,
  text,
  type Wire,
} from "./Changes.ts"

const price = (change: (lines: ReadonlyArray<Wire>) => ReadonlyArray<Wire>) =>
  designs((own) => ({ ...own, price: { ...own.price, lines: change(own.price["lines"] as ReadonlyArray<Wire>) } }))

const summary = (change: (summary: ReadonlyArray<Wire>) => ReadonlyArray<Wire>) =>
  designs((own) => ({ ...own, summary: change(own.summary) }))

const production = (change: (entry: Wire) => Wire) =>
  designs((own) => ({ ...own, productionData: own.productionData.map(change) }))

// biome-ignore format: a fault is a row
export const wrongEvaluation: ReadonlyArray<ServiceFault> = [
  fault("production data without ref", "evaluation.vectors", production(({ ref: _, ...own }) => own)),
  fault("a text has a ref", "evaluation.vectors", production((own) => ({ ...own, ref: own["ref"] ?? {} }))),
  fault("one of several codes is no list", "evaluation.vectors", production(({ values, ...own }) =>
    (Array.isArray(values) && values.length === 1 ? { ...own, value: values[0] } : { ...own, values }))),
  fault("the summary has a line less", "evaluation.vectors", summary((own) => own.slice(0, -1))),
  fault("the summary is in another order", "evaluation.vectors", summary((own) => own.toReversed())),
  fault("several values are joined", "evaluation.vectors", summary((own) => own.map((entry) =>
    ({ ...entry, value: Array.isArray(entry["value"]) ? entry["value"].join(", ") : entry["value"] })))),
  fault("a line for what costs nothing", "evaluation.vectors",
    price((own) => [...own, { q: "q", a: "a", amount: 0, variantId: null }])),
  fault("no line for a variant that costs nothing", "evaluation.vectors",
    price((own) => own.filter((line) => line["amount"] !== 0))),
  fault("variants are texts", "evaluation.vectors", price((own) => own.map((line) =>
    ({ ...line, variantId: line["variantId"] === null ? null : String(line["variantId"]) })))),
  fault("amounts below nothing are none", "evaluation.vectors",
    price((own) => own.map((line) => ({ ...line, amount: Math.max(0, Number(line["amount"])) })))),
  fault("the price is not rounded", "evaluation.vectors", designs((own) => {
    const total = Number(own.price["total"]) - Number(own.price["rounding"])
    return { ...own, price: { ...own.price, rounding: 0, total } }
  })),
  fault("the price is never made up to nothing", "evaluation.vectors", text('"total":0,', '"total":-1,')),
  fault("a selection that is not allowed is saved", "evaluation.refused",
    accepting("putDesign", /"customizerId":10\d/)),
  fault("unknown questions are ignored", "evaluation.refused", accepting("putDesign", /unknown question|no question/i)),
  fault("an inconsistent definition is published", "evaluation.definitions", accepting("publish", /^(?!.*"notes")/)),
  fault("a rule that looks ahead is dropped", "evaluation.definitions", call("publish", (own, given) => {
    const isAhead = JSON.stringify(given.definition).includes('"later"')
    return own(isAhead ? { ...given, definition: { ...given.definition, rules: [] } } : given)
  })),
  fault("numbers that JSON can't hold are accepted", "evaluation.numbers", accepting("publish", /"notes"/)),
  fault("decimals have two digits", "evaluation.numbers", text("1e-7", "0.00")),
]

const paging = (change: (pagination: Wire, data: ReadonlyArray<Wire>) => object) =>
  feed((own) => ({ ...own, pagination: { ...own.pagination, ...change(own.pagination, own.data) } }))

const list = (change: (data: ReadonlyArray<Wire>, path: string) => ReadonlyArray<Wire>) =>
  feed((own, path) => ({ ...own, data: change(own.data, path) }))

/** Says of pages without events that there are more. */
const more = (paths: RegExp) =>
  feed((own, path) =>
    paths.test(path) && own.data.length === 0 ? { ...own, pagination: { ...own.pagination, hasMore: true } } : own,
  )

/** Changes one of a few pages that readers ask for while others write. */
const now = (each: number, change: (data: ReadonlyArray<Wire>) => ReadonlyArray<Wire>) => () => {
  let asked = 0
  return list((own, path) => (path.includes("limit=7") && own.length > 1 && asked++ % each === 0 ? change(own) : own))
}

// biome-ignore format: a fault is a row
export const wrongFeed: ReadonlyArray<ServiceFault> = [
  fault("20 events by default", "feed.form", asks(/\/events(\?(?!.*limit=)|$)/, "/events?limit=20&")),
  fault("hasMore is left out", "feed.form", paging(() => ({ hasMore: undefined }))),
  fault("a total that no requirement has", "feed.form", paging(() => ({ total: 1 }))),
  fault("limit is looked at before the plan", "feed.access", status(403, 400, /limit=0/)),
  fault("403 for an unknown token", "feed.access", status(401, 403, /events/)),
  fault("the feed has no tag", "feed.answers",
    header("etag", (own, _, { path }) => (isList("events", path) ? "" : own))),
  fault("the feed is not limited", "feed.answers", header("ratelimit-policy", () => undefined)),
  fault("a feed of POST is 404", "feed.answers", status(405, 404, /events/)),
  fault("a limit over 100 is cut", "feed.query", asks("limit=101", "limit=100")),
  fault("unknown types are ignored", "feed.query", asks("types=design.ordered,design.deleted", "types=design.ordered")),
  fault("an error names no parameter", "feed.query", text(/^\{"message".*$/g, '{"message":"no"}')),
  fault("the newest events first", "feed.events", list((own) => own.toReversed())),
  fault("saved designs are left out", "feed.events",
    list((own) => own.filter(({ event }) => event !== "design.created"))),
  fault("an event has the shop's id", "feed.events", list((own) => own.map((event) => ({ ...event, shop: "t-1" })))),
  fault("the last event comes again", "feed.pages", list((own) => (own.length === 1 ? [...own, ...own] : own))),
  fault("the end has no cursor", "feed.pages",
    paging(({ hasMore, nextCursor }) => ({ nextCursor: hasMore ? nextCursor : null }))),
  fault("a full page has more", "feed.pages", paging(({ limit }, data) => ({ hasMore: data.length === limit }))),
  fault("hasMore is never true", "feed.pages", paging(() => ({ hasMore: false }))),
  fault("latest is the beginning", "feed.latest", asks("after=latest", "")),
  fault("latest has more", "feed.latest", more(/after=latest/)),
  fault("an empty feed has more", "feed.events", more(/\/events$/)),
  fault("one type of several", "feed.types", asks("types=design.created,design.ordered", "types=design.created")),
  fault("types are ignored", "feed.types", asks(/types=[^&]*&?/, "")),
  fault("an event is left out now and then", "feed.writers", now(5, (own) => own.slice(1))),
  fault("two events change places now and then", "feed.writers",
    now(3, (own) => [...own.slice(1), ...own.slice(0, 1)])),
  fault("what is behind a cursor is ignored", "feed.cursor.altered", asks(/(?<=after=[^&]{20,})(%3D|%20)$/, "")),
  fault("a cursor of an old form is the beginning", "feed.cursor.forged", asks(/after=e1\.1\.5[^&]*/, "")),
  fault("a cursor is good for every shop", "feed.cursor.other",
    cursors(shopOf, ({ path }, pass) => pass({ path: path.replace(/\?.*/, "") }))),
  fault("the key of a cursor has no bounds", "cursor.joined", {
    handles: async ({ path }, pass) => {
      const answer = await pass()
      const isMoved = answer.status === 400 && /\/orders\?cursor=[^&]{20,}$/.test(path)
      return isMoved ? pass({ path: path.replace(/\?.*/, "") }) : answer
    },
  }),
  fault("a cursor before dropped events leads to what is left", "feed.gone", {
    handles: async ({ path }, pass) => {
      const answer = await pass()
      return answer.status === 410 ? pass({ path: path.replace(/\?.*/, "") }) : answer
    },
  }),
  fault("the feed writes events again", "feed.delivered",
    text('"apiVersion":"2026-10"', '"apiVersion": "2026-10"', /events/)),
]
