import type { ServiceFault } from "../ServiceFault.ts"
import {
  accepting,
  asks,
  body,
  call,
  cursors,
  design,
  designs,
  fault,
  header,
  isList,
  orders,
  pages,
  refusing,
  sent,
  shopOf,
  sorted,
  status,
  text,
  tokenOf,
  turned,
  type Wire,
} from "./Changes.ts"
import { narrowRest } from "./Narrow.ts"

const headers = { "content-type": "application/json", "x-api-version": "2026-10" }

const queryOf = (path: string): URLSearchParams => new URL(path, "http://a").searchParams

/** Who may read. */
// biome-ignore format: a fault is a row
const access: ReadonlyArray<ServiceFault> = [
  fault("another message without a token", "access.missing", {
    answers: (answer, { headers: { authorization } }) =>
      answer.status === 401 && authorization === undefined ? { ...answer, body: '{"message":"none"}' } : answer,
  }),
  fault("text behind a token is ignored", "access.altered", sent("authorization", (own) => own.replace(/ x$/, ""))),
  fault("the scheme is case-sensitive", "access.scheme",
    sent("authorization", (own) => own.replace(/^(bearer|BEARER) /, "Basic "))),
  fault("customizers of every shop are shown", "access.other.all", {
    handles: async ({ path }, pass, { tokens }) => {
      for (const token of path.endsWith("/customizers/555") ? tokens.keys() : []) {
        const answer = await pass({ headers: { authorization: `Bearer ${token}` } })
        if (answer.status === 200) return answer
      }
      return pass()
    },
  }),
  fault("an order is cancelled in every shop", "access.apart", call("cancelOrder", async (own, given, { tokens }) => {
    const done = await own(given)
    const shops = new Set([...tokens.values()].map(({ shop }) => shop))
    for (const shop of shops) await own({ ...given, shop }).catch(() => undefined)
    return done
  })),
  fault("a revoked token is accepted for three seconds", "access.revoked",
    call("deleteToken", async (own, given) => void setTimeout(() => void own(given).catch(() => null), 3_000))),
  fault("tokens of another length", "access.tokens", {
    ...sent("authorization", (own) => own.replace(/!$/, "")),
    ...call("createToken", async (own, given) => {
      const made = await own(given)
      return { ...made, token: `${made.token}!` }
    }),
  }),
  fault("a shop has any number of tokens", "tokens.hundred", accepting("createToken", /100/, { id: "t", token: "t" })),
  fault("405 off the plan", "access.plan", status(403, 405, /^POST/)),
]

/** Addresses, ids and versions. */
// biome-ignore format: a fault is a row
const routes: ReadonlyArray<ServiceFault> = [
  fault("/orders/ is /orders", "routes.unknown", asks(/\/orders\/$/, "/orders")),
  fault("the base address is decoded", "routes.prefix", asks(/%[67][0-9a-f](?=.*\/orders$)/gi, decodeURIComponent)),
  fault("405 without Allow", "routes.methods", header("allow", () => undefined)),
  fault("an empty X-Api-Version is accepted", "routes.version", sent("x-api-version", (own) => own || undefined)),
  fault("400 for the id of a customizer", "routes.customizers", status(404, 400, /\/customizers\/\D/)),
  fault("400 for an invalid escape", "routes.ids", status(404, 400, /%zz$/)),
  fault("the version is looked at before the method", "routes.checks", {
    answers: (answer, asked) =>
      answer.status === 405 && asked.headers["x-api-version"] === "1999-01" ? { ...answer, status: 400 } : answer,
  }),
  fault("a + in a path is a space", "routes.ids.any", asks(/^[^?]*/, (own) => own.replaceAll("+", "%20"))),
  fault("blanks behind an id are ignored", "routes.ids.part", asks(/^([^?]*)%20$/, (own) => own.slice(0, -3))),
  fault("HEAD of an unknown object is 405", "routes.head.unknown", status(404, 405, /^HEAD/)),
]

const stacks = [
  "Error: no\n    at find (/srv/app/orders.js:12:7)",
  "java.lang.NullPointerException\n\tat com.shop.find(Orders.java:12)",
  'Traceback (most recent call last):\n  File "/srv/orders.py", line 12',
  "PDOException: no\n#0 /srv/orders.php(12): find()",
  "app/orders.rb:12:in 'find': undefined method",
]

/** What answers give away. */
// biome-ignore format: a fault is a row
const secrets: ReadonlyArray<ServiceFault> = [
  fault("the token in an extra header", "access.secrets", header("x-debug", (_, __, asked) => tokenOf(asked))),
  fault("the token in a message", "access.secrets", {
    answers: (answer, asked) =>
      answer.status === 404 ? { ...answer, body: JSON.stringify({ message: `no for ${tokenOf(asked)}` }) } : answer,
  }),
  ...["*", "https://elsewhere.example"].map((origin) => fault(`${origin} may read with credentials`, "access.origins", {
    answers: (answer) => {
      const open = { "access-control-allow-origin": origin, "access-control-allow-credentials": "true" }
      return { ...answer, headers: { ...answer.headers, ...open } }
    },
  })),
  ...stacks.map((message) => fault(`a stack in an error: ${message.slice(0, 12)}`, "routes.unknown", {
    answers: (answer) => (answer.status === 404 ? { ...answer, body: JSON.stringify({ message }) } : answer),
  })),
]

/** The form of objects. */
// biome-ignore format: a fault is a row
const shape: ReadonlyArray<ServiceFault> = [
  fault("an order without its name", "shape.orders", orders(({ name: _, ...order }) => order)),
  fault("fields of a price in another order", "shape.orders",
    designs((own) => ({ ...own, price: turned(own.price) }))),
  fault("a total without the last design", "shape.orders",
    orders((own) => ({ ...own, total: own.total - Number(own.designs.at(-1)?.price["total"]) }))),
  fault("money with decimals", "shape.orders",
    designs((own) => ({ ...own, price: { ...own.price, base: `${own.price["base"]}.00` } }))),
  fault("a field more in the summary", "shape.orders",
    designs((own) => ({ ...own, summary: own.summary.map((entry) => ({ ...entry, ref: null })) }))),
  fault("times end with Z", "shape.orders", text("+00:00", "Z")),
  fault("a design has white space alone", "shape.same", text('","', '", "', /\/designs\//)),
  fault("a product id without gid", "shape.customizer", body<Wire>(/\/customizers\//, (own) =>
    ({ ...own, platformProductId: String(own["platformProductId"]).split("/").at(-1) }))),
  fault("the keys of a selection are sorted", "shape.draft",
    designs((own) => ({ ...own, selection: sorted(own.selection) }))),
  fault("a draft has no order at all", "shape.draft",
    design(({ order, ...own }) => (order === null ? own : { ...own, order }))),
  fault("a draft without a time is of 1970", "shape.created", call("putDesign", (own, { input, ...given }) =>
    own({ ...given, input: { createdAt: "1970-01-01T00:00:00Z", ...input } }))),
  fault("ids in image URLs are not encoded", "shape.images", text(/%2F(?=[^"]*\.png")/g, "/")),
  fault("views like numbers come first", "shape.images.order", text(/^.+$/g, (own) => JSON.stringify(JSON.parse(own)))),
  fault("a cancelled design has another thumbnail", "shape.images.kept",
    designs((own) => (own.status === "cancelled" ? { ...own, thumbnail: `${own["thumbnail"]}?2` } : own))),
  fault("images are sorted by view", "shape.images.views", designs((own) => ({ ...own, images: sorted(own.images) }))),
  fault("designs of an order are sorted by id", "shape.order",
    orders((own) => ({ ...own, designs: own.designs.toSorted((one, two) => (one.id < two.id ? -1 : 1)) }))),
  fault("an order of 30 designs is cut", "shape.order.many",
    orders((own) => ({ ...own, designs: own.designs.slice(0, 30) }))),
  fault("an unpublished customizer is published", "shape.customizer.states",
    text('"status":"draft"', '"status":"published"', /customizers/)),
  fault("unknown keys of definitions are lost", "shape.definition", text(',"alpha":""', "")),
  fault("large amounts are written as doubles", "shape.money",
    text(/(?<="total":)\d{16}/g, (digits) => Number(digits).toExponential())),
  fault("years before 1000 have fewer digits", "shape.instants", text('"00', '"')),
  fault("a cancelled design alone stays ordered", "shape.state",
    text('"status":"cancelled"', '"status":"ordered"', /\/designs\//)),
]

/** Pages and their parameters. */
// biome-ignore format: a fault is a row
const lists: ReadonlyArray<ServiceFault> = [
  fault("the oldest orders first", "pages.form", pages((own) => ({ ...own, data: own.data.toReversed() }))),
  fault("20 orders by default", "pages.form", asks(/\/orders(\?(?!.*limit=)|$)/, "/orders?limit=20&")),
  fault("a total capped at 1,000", "pages.many",
    text(/(?<="total":)1001,/g, "1000,", /\/orders\?limit=100/)),
  ...["orderedAfter", "limit", "foo"].map((name) => fault(`a Link that loses ${name}`, "pages.link.all",
    header("link", (own) => own.replace(new RegExp(`([?&])${name}=[^&>]*&?`), "$1")))),
  fault("a page of 100 has 50", "pages.many", asks("limit=100", "limit=50")),
  fault("the last page has a cursor", "pages.walk", pages(({ data, pagination: { nextCursor, ...pagination } }, path) =>
    ({ data, pagination: { ...pagination, nextCursor: nextCursor ?? queryOf(path).get("cursor") } }))),
  fault("a limit of 9 is 10", "pages.limits", asks(/limit=9$/, "limit=10")),
  fault("orders of one instant ascending by id", "pages.ties", pages((own) => ({ ...own,
    data: own.data.toSorted((a, b) => b.orderedAt.localeCompare(a.orderedAt) || (a.id < b.id ? -1 : 1)) }))),
  fault("a cursor counts orders", "pages.added", () => {
    const offsets = new Map<string, number>()
    return {
      handles: async ({ path }, pass) => {
        const answer = await pass()
        if (!isList("orders", path) || answer.status !== 200 || answer.body === "") return answer
        const page = JSON.parse(answer.body)
        const from = offsets.get(queryOf(path).get("cursor") ?? "") ?? 0
        if (page.pagination.nextCursor !== null) offsets.set(page.pagination.nextCursor, from + page.data.length)
        if (from === 0 || queryOf(path).get("limit") !== "3") return answer
        const whole = JSON.parse((await pass({ path: path.replace(/\?.*/, "?limit=100") })).body)
        return { ...answer, body: JSON.stringify({ ...page, data: whole.data.slice(from, from + 3) }) }
      },
    }
  }),
  fault("cancelled orders do not count", "pages.walk", pages((own) => {
    const gone = own.data.filter((order) => order.status === "cancelled").length
    return { ...own, pagination: { ...own.pagination, total: Number(own.pagination["total"]) - gone } }
  })),
  fault("a cursor belongs to a token", "pages.token", cursors(tokenOf, () =>
    Promise.resolve({ status: 400, headers, body: '{"message":"cursor is of another token"}' }))),
  fault("a cursor overrules another orderedAfter", "pages.filter",
    asks(/(?<=[?&]cursor=[^&]+)&orderedAfter=2026-10-05T14:0[^&]*/, "")),
  fault("a long page has more than 8 MiB", "pages.bytes", {
    answers: (answer) =>
      answer.body.length < 3_000_000 ? answer : { ...answer, body: answer.body + " ".repeat(6 << 20) },
  }),
  fault("503 without Retry-After for long pages", "pages.beside", {
    answers: (answer) =>
      answer.body.length < 3_000_000 ? answer : { status: 503, headers, body: '{"message":"busy"}' },
  }),
  fault("pages have white space", "pages.objects", text('"pagination"', ' "pagination"')),
  fault("a limit over 100 is cut to 100", "query.refused", asks(/limit=101$/, "limit=100")),
  fault("a limit with a zero in front is accepted", "query.limit", asks(/limit=01$/, "limit=1")),
  fault("unknown parameters are refused", "query.unknown", status(200, 400, /\?foo=/)),
  fault("a parameter called like a field of objects is 500", "query.unknown.all", status(200, 500, /__proto__=/)),
  fault("orderedAfter excludes its instant", "query.after", pages((own, path) => {
    const after = Date.parse(queryOf(path).get("orderedAfter") ?? "")
    return { ...own, data: own.data.filter(({ orderedAt }) => Date.parse(orderedAt) !== after) }
  })),
  fault("a cursor with = behind it is accepted", "query.cursor", asks(/(?<=cursor=[^&=]+)=$/, "")),
  fault("a cursor of another shop is taken for the beginning", "query.cursor.other",
    cursors(shopOf, ({ path }, pass) => pass({ path: path.replace(/\?.*/, "") }))),
  fault("an orderedAfter of 1970 is none", "query.after.epoch", asks(/orderedAfter=1970[^&]*&?/, "")),
  fault("orderedAfter without hyphens is refused", "query.after.forms", status(200, 400, /orderedAfter=\d{8}$/)),
  fault("24:00 is midnight", "query.after.refused", asks("2026-10-05T24:00:00Z", "2026-10-06")),
]

/** Caches and limits. */
// biome-ignore format: a fault is a row
const exchange: ReadonlyArray<ServiceFault> = [
  fault("caches may keep answers for all", "conditional.headers", header("cache-control", (own) => own && "public")),
  fault("answers do not vary", "conditional.headers", header("vary", () => undefined)),
  fault("tags are weak", "conditional.headers", header("etag", (own) => own && `W/${own}`)),
  fault("304 with a body", "conditional.end", {
    answers: (answer) => (answer.status === 304 ? { ...answer, behind: "{}" } : answer),
  }),
  fault("HEAD with a body", "conditional.end", {
    answers: (answer, { method }) => (method === "HEAD" ? { ...answer, behind: "{}" } : answer),
  }),
  fault("304 without X-Api-Version", "conditional.match",
    header("x-api-version", (own, answer) => (answer.status === 304 ? undefined : own))),
  fault("304 without its tag", "conditional.match",
    header("etag", (own, answer) => (answer.status === 304 ? "" : own))),
  fault("HEAD without Link", "conditional.head",
    header("link", (own, _, { method }) => (method === "HEAD" ? "" : own))),
  fault("weak tags do not match", "conditional.forms",
    sent("if-none-match", (own) => (own.includes("W/") ? undefined : own))),
  fault("the tag depends on the token", "conditional.tokens",
    header("etag", (own, _, asked) => own.replace(/"$/, `${tokenOf(asked).slice(-6)}"`))),
  fault("the tag of a draft never changes", "conditional.changes",
    header("etag", (own, _, { path }) => (path.endsWith("/designs/draft") ? '"draft"' : own))),
  fault("every answer has Retry-After", "rates.headers", header("retry-after", () => "1")),
  fault("404 does not show the limit", "rates.headers",
    header("ratelimit", (own, answer) => (answer.status === 404 ? undefined : own))),
  fault("304 does not count", "rates.count", header("ratelimit", (own, answer) =>
    answer.status === 304 ? own.replace(/(?<=r=)\d+/, (left) => String(Number(left) + 1)) : own)),
  fault("403 counts", "rates.plan", () => {
    let asked = 0
    return header("ratelimit", (own, { status: given }) =>
      given === 403 ? own.replace(/r=\d+/, `r=${100 - asked++}`) : own)
  }),
  fault("one is left after all were used", "rates.limit",
    header("ratelimit", (own, answer) => (answer.status === 429 ? own.replace("r=0", "r=1") : own))),
  fault("an unknown address is 404 before 429", "rates.checks", status(429, 404, /\/nothing$/)),
  fault("Retry-After is always a second", "rates.window", header("retry-after", (own) => own && "1")),
]

/** Changes of designs and orders. */
// biome-ignore format: a fault is a row
const states: ReadonlyArray<ServiceFault> = [
  fault("a draft that is saved again is new", "states.again", call("putDesign", (own, { input, ...given }) =>
    own({ ...given, input: { createdAt: new Date().toISOString(), ...input } }))),
  fault("saving a frozen design is accepted", "states.frozen", accepting("putDesign", / 409 .*again/)),
  fault("a design has the newest version once it is ordered", "states.changes",
    designs((own) => (own.status === "draft" ? own : { ...own, customizer: { ...own.customizer, version: 2 } }))),
  fault("designs of a cancelled order stay ordered", "states.cancel",
    orders((own) => ({ ...own, designs: own.designs.map((one) => ({ ...one, status: "ordered" })) }))),
  fault("an order of an unknown shop is cancelled", "states.cancel", accepting("cancelOrder", /nobodys-shop/)),
  fault("a cancellation that comes first is lost", "states.cancel.early", () => {
    const placed = new Set<string>()
    const keyOf = ({ id, shop }: { readonly id: string; readonly shop: string }) => `${shop} ${id}`
    return {
      drives: ({ cancelOrder, putOrder }) => ({
        putOrder: (given) => putOrder(given).finally(() => placed.add(keyOf(given))),
        cancelOrder: async (given) =>
          placed.has(keyOf(given)) || given.shop === "nobodys-shop" ? cancelOrder(given) : null,
      }),
    }
  }),
  fault("a design has the newest version", "states.version",
    designs((own) => (own.id === "kept" ? { ...own, customizer: { ...own.customizer, version: 2 } } : own))),
  fault("a design of no customizer is accepted", "states.unpublished", accepting("putDesign", /"customizerId":8/)),
  fault("an equal time in another form is another", "orders.same", refusing("putOrder", /16:48:00\.0009\+02:00/)),
  fault("the good lines of a refused order are placed", "orders.refused", call("putOrder", (own, given) =>
    own(given).catch(async (error: unknown) => {
      const lines = given.input.lines.filter(({ designId }) => designId === "free")
      if (lines.length > 0) await own({ ...given, input: { ...given.input, lines } }).catch(() => undefined)
      throw error
    }))),
  fault("an order without lines is refused", "orders.none", refusing("putOrder", /"lines":\[\]/)),
  fault("another name is accepted", "orders.conflicts", accepting("putOrder", /"name":"other"/)),
  fault("a line has two designs", "orders.one-design", accepting("putOrder", / 422 .*line/)),
  fault("an order in two currencies is accepted", "orders.currency", accepting("putOrder", / 409 .*(CHF|USD)/)),
  fault("a total beyond 2^53 is accepted", "orders.sum", accepting("putOrder", / \d+ .*(total|large|sum|cents)/)),
]

export const wrongRest = [...access, ...routes, ...secrets, ...shape, ...lists, ...exchange, ...states, ...narrowRest]
