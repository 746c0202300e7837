import addresses from "../../../suites/vectors/addresses.json" with { type: "json" }
import type { PassedAnswer, ServiceFault } from "./ServiceFault.ts"

const withHeaders = (answer: PassedAnswer, headers: Readonly<Record<string, string>>): PassedAnswer => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
})

const withoutHeader = (answer: PassedAnswer, removed: string): PassedAnswer => ({
  ...answer,
  headers: Object.fromEntries(Object.entries(answer.headers).filter(([name]) => name !== removed)),
})

interface Order {
  readonly designs: ReadonlyArray<unknown>
}

interface Page {
  readonly data: ReadonlyArray<Order>
  readonly pagination: { readonly total: number; readonly limit: number; readonly nextCursor: string | null }
}

/** Changes answers to `GET /orders`. */
const onPages =
  (change: (page: Page) => Page): NonNullable<ServiceFault["answers"]> =>
  (answer, { path }) =>
    answer.status === 200 && /\/orders(\?|$)/.test(path)
      ? { ...answer, body: JSON.stringify(change(JSON.parse(answer.body))) }
      : answer

const cut = (order: Order): Order => ({ ...order, designs: order.designs.slice(0, 30) })

/** Changes answers with one status. */
const on =
  (status: number, change: (answer: PassedAnswer) => PassedAnswer): NonNullable<ServiceFault["answers"]> =>
  (answer) =>
    answer.status === status ? change(answer) : answer

/** Faults of the REST API. */
const rest: ReadonlyArray<ServiceFault> = [
  {
    title: "a 304 with a body",
    caughtBy: "conditional.end",
    answers: on(304, (answer) => ({ ...answer, behind: '{"message":"not modified"}' })),
  },
  {
    title: "an answer to HEAD with a body",
    caughtBy: "conditional.end",
    answers: (answer, { method }) => (method === "HEAD" ? { ...answer, behind: "{}" } : answer),
  },
  {
    title: "a 304 without X-Api-Version",
    caughtBy: "conditional.match",
    answers: on(304, (answer) => withoutHeader(answer, "x-api-version")),
  },
  {
    title: "limit=100 cut to 50",
    caughtBy: "pages.many",
    asks: (path) => path.replace("limit=100", "limit=50"),
    answers: onPages((page) => ({
      ...page,
      pagination: { ...page.pagination, limit: page.pagination.limit === 50 ? 100 : page.pagination.limit },
    })),
  },
  {
    title: "a total capped at 1,000",
    caughtBy: "pages.many",
    answers: onPages((page) => ({
      ...page,
      pagination: { ...page.pagination, total: Math.min(page.pagination.total, 1_000) },
    })),
  },
  ...["orderedAfter", "limit", "foo"].map((name) => ({
    title: `a Link that loses ${name}`,
    caughtBy: "pages.link.all",
    answers: (answer: PassedAnswer) =>
      withHeaders(answer, {
        ...answer.headers,
        ...(answer.headers["link"] === undefined
          ? {}
          : { link: answer.headers["link"].replace(new RegExp(`([?&])${name}=[^&>]*&?`), "$1") }),
      }),
  })),
  {
    title: "an order of 30 designs cut off",
    caughtBy: "shape.order.many",
    answers: (answer, { path }) =>
      answer.status === 200 && path.includes("/orders/")
        ? { ...answer, body: JSON.stringify(cut(JSON.parse(answer.body))) }
        : onPages((page) => ({ ...page, data: page.data.map(cut) }))(answer, { path, method: "GET", headers: {} }),
  },
  {
    title: "the token in an extra header",
    caughtBy: "access.secrets",
    answers: (answer, { headers }) => withHeaders(answer, { "x-debug": `for ${headers.authorization}` }),
  },
  {
    title: "the token in the message of a 404",
    caughtBy: "access.secrets",
    answers: (answer, { headers }) =>
      answer.status === 404
        ? { ...answer, body: JSON.stringify({ message: `no for ${headers.authorization}` }) }
        : answer,
  },
  ...["*", "https://elsewhere.example"].map((origin) => ({
    title: `Access-Control-Allow-Origin: ${origin} with credentials`,
    caughtBy: "access.origins",
    answers: (answer: PassedAnswer) =>
      withHeaders(answer, { "access-control-allow-origin": origin, "access-control-allow-credentials": "true" }),
  })),
  ...(
    [
      ["JavaScript", "Error: no\n    at find (/srv/app/orders.js:12:7)"],
      ["Java", "java.lang.NullPointerException\n\tat com.shop.Orders.find(Orders.java:12)"],
      ["Python", 'Traceback (most recent call last):\n  File "/srv/app/orders.py", line 12, in find'],
      ["PHP", "PDOException: no\n#0 /srv/app/orders.php(12): find()"],
      ["Ruby", "app/orders.rb:12:in 'find': undefined method"],
    ] as const
  ).map(([language, message]) => ({
    title: `a stack of ${language} in an error`,
    caughtBy: "routes.unknown",
    answers: on(404, (answer) => ({ ...answer, body: JSON.stringify({ message }) })),
  })),
]

/** Faults of deliveries. */
const deliveries: ReadonlyArray<ServiceFault> = [
  { title: "a delivery doubled after 3 s", caughtBy: "deliveries.once", doubledAfter: 3_000 },
  {
    title: "the signing secret in an extra header of a delivery",
    caughtBy: "deliveries.ordered",
    delivers: (secret) => ({ "x-service-key": secret.replace("whsec_", "") }),
  },
]

/** An endpoint at each address of the vectors that is not public, accepted. */
const endpoints: ReadonlyArray<ServiceFault> = addresses.flatMap(({ address, public: isPublic }) => {
  const url = `https://${address.includes(":") ? `[${address}]` : address}/`
  const isOwn = /^(127\.|\[::1\]|\[::ffff:7f)/.test(URL.parse(url)?.hostname ?? "")
  const caughtBy = isOwn ? "endpoints.public.default" : "endpoints.public"
  return isPublic
    ? []
    : [{ title: `an endpoint at ${url} accepted`, caughtBy, accepts: (given: string) => given === url }]
})

/** Faults that `designwire conformance` missed when a proxy put them before a running service, and their kin. */
export const serviceFaults: ReadonlyArray<ServiceFault> = [...rest, ...deliveries, ...endpoints]
