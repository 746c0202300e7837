import type { DriverCalls } from "../../../../suites/service/ServiceDriver.ts"
import type { PassedAnswer, PassedRequest, ServiceFault } from "../ServiceFault.ts"
import {
  asks,
  body,
  call,
  cursors,
  designs,
  fault,
  type Hooks,
  header,
  orders,
  pages,
  sent,
  shopOf,
  status,
  text,
  tokenOf,
  type Wire,
} from "./Changes.ts"

const queryOf = (path: string): URLSearchParams => new URL(path, "http://a").searchParams

const keyOf = ({ id, shop }: { readonly id: string; readonly shop: string }) => `${shop} ${id}`

const linkOf = ({ order }: Wire): Wire => order as Wire

/** Shows other tags than the service has, and takes them in conditional requests. */
const tags = (showing: () => (tag: string, asked: PassedRequest, shop: string) => string) => (): Hooks => {
  const show = showing()
  const own = new Map<string, string>()
  return {
    handles: async (asked, pass, world) => {
      const placeOf = (tag: string) => `${tokenOf(asked)} ${asked.path} ${tag}`
      const match = asked.headers["if-none-match"]?.replace(/"[^"]*"/g, (tag) => own.get(placeOf(tag)) ?? tag)
      const answer = await pass(match === undefined ? {} : { headers: { "if-none-match": match } })
      const { etag } = answer.headers
      if (etag === undefined) return answer
      const shown = show(etag, asked, shopOf(asked, world))
      own.set(placeOf(shown), etag)
      return { ...answer, headers: { ...answer.headers, etag: shown } }
    },
  }
}

/** The number of a tag among those of its object. */
const revisions = () => {
  const known = new Map<string, Array<string>>()
  return (tag: string, { path }: PassedRequest, shop: string) => {
    const all = known.get(`${shop} ${path}`) ?? []
    known.set(`${shop} ${path}`, all)
    if (!all.includes(tag)) all.push(tag)
    return `"${all.indexOf(tag)}"`
  }
}

type Draft = DriverCalls["putDesign"]["given"]["input"]

/** Saves drafts in another way; `first` is what was saved before under the id. */
const saving = (change: (input: Draft, first: Draft | undefined) => Draft) => () => {
  const drafts = new Map<string, Draft>()
  return call("putDesign", (own, given) => {
    const first = drafts.get(keyOf(given))
    if (first === undefined) drafts.set(keyOf(given), given.input)
    return own({ ...given, input: change(given.input, first) })
  })
}

/** Who may read. */
// biome-ignore format: a fault is a row
const access: ReadonlyArray<ServiceFault> = [
  fault("an order whose lines are numbers is cancelled in every shop", "access.apart", () => {
    const shops = new Map<string, Set<string>>()
    return {
      drives: ({ cancelOrder, putOrder }) => ({
        putOrder: async (given) => {
          await putOrder(given)
          if (!given.input.lines.every(({ lineItemId }) => /^\d+$/.test(lineItemId))) return
          shops.set(given.id, (shops.get(given.id) ?? new Set()).add(given.shop))
        },
        cancelOrder: async (given) => {
          const all = shops.get(given.id) ?? new Set()
          for (const shop of all.has(given.shop) ? all : [given.shop]) await cancelOrder({ ...given, shop })
        },
      }),
    }
  }),
  fault("a host hears of a revoked token three seconds later", "access.revoked", () => {
    const revoked = new Map<string, number>()
    return {
      ...call("deleteToken", async (own, given) => {
        await own(given)
        revoked.set(given.id, Date.now())
      }),
      handles: (asked, pass, { tokens }) => {
        const asker = tokens.get(tokenOf(asked))
        const isKnown = Date.now() - (revoked.get(asker?.id ?? "") ?? 0) > 3_000
        const other = [...tokens].find(([_, { id, shop }]) => shop === asker?.shop && !revoked.has(id))
        return isKnown || other === undefined ? pass() : pass({ headers: { authorization: `Bearer ${other[0]}` } })
      },
    }
  }),
  fault("tokens begin in another way", "access.tokens", {
    ...sent("authorization", (own) => own.replace("tok_", "cmz_")),
    ...call("createToken", async (own, given) => {
      const made = await own(given)
      return { ...made, token: made.token.replace("cmz_", "tok_") }
    }),
  }),
]

/** The form of objects. */
// biome-ignore format: a fault is a row
const shape: ReadonlyArray<ServiceFault> = [
  fault("a page for a limit of 100 is without production data", "shape.orders", pages((own, path) =>
    path.includes("limit=100")
      ? { ...own, data: own.data.map((order) =>
        ({ ...order, designs: order.designs.map(({ productionData: _, ...others }) => others) })) }
      : own)),
  fault("pages for a limit are written in another way", "shape.same", text('"designs":', '"designs": ', /[?&]limit=/)),
  fault("a rule that disables is a text", "shape.customizer", body<Wire>(/\/customizers\//, (own) => {
    const definition = own["definition"] as { readonly rules: ReadonlyArray<Wire> } | null
    const rules = definition?.rules.map((rule) => ("disable" in rule ? String(rule["id"]) : rule))
    return { ...own, definition: definition && { ...definition, rules } }
  })),
  fault("texts of selections lose characters", "shape.draft", text(/[^\0-\xff](?<="text":"[^"]*)/g, "?")),
  fault("a draft has the time of another time zone", "shape.created", saving((input, first) =>
    (first === undefined ? { createdAt: new Date(Date.now() + 7_200_000).toISOString(), ...input } : input))),
  fault("images of ordered designs follow the image base", "shape.images.kept", () => {
    const bases = new Map<string, string>()
    return {
      ...call("putShop", (own, given) => {
        bases.set(given.shop, given.input.imageBase)
        return own(given)
      }),
      handles: async (asked, pass, world) => {
        const answer = await pass()
        if (!answer.body.includes('"orderedAt":"')) return answer
        const base = bases.get(shopOf(asked, world))
        return { ...answer, body: answer.body.replace(/"https:[^"]*(?=\/designs\/)/g, `"${base}`) }
      },
    }
  }),
  fault("designs of an order have the line of its first", "shape.order", orders((own) => ({ ...own,
    designs: own.designs.map((one, _, [first = one]) =>
      ({ ...one, order: { ...linkOf(one), lineItemId: linkOf(first)["lineItemId"] } })) }))),
  fault("a cancelled design is written in another way", "shape.state",
    text(/^(?=.*"status":"cancelled")/g, " ", /\/designs\//)),
]

/** Pages, and the requests for them. */
// biome-ignore format: a fault is a row
const lists: ReadonlyArray<ServiceFault> = [
  fault("later pages leave out cancelled orders", "pages.walk", pages((own, path) =>
    ({ ...own, data: own.data.filter(({ status }) => status !== "cancelled" || !queryOf(path).has("cursor")) }))),
  fault("a Link with blanks", "pages.link", header("link", (own) => own.replace(/a(%20|\+)b/, "a b"))),
  fault("20 orders behind a cursor", "pages.form", asks(/\?cursor=[^&]+$/, (own) => `${own}&limit=20`)),
  fault("cancelled orders come last", "pages.total", pages((own) => ({ ...own,
    data: own.data.toSorted((a, b) => Number(a.status === "cancelled") - Number(b.status === "cancelled")) }))),
  fault("a cursor is refused with another limit", "pages.token", cursors(
    ({ path }) => queryOf(path).get("limit") ?? "",
    ({ path }, pass) => pass(queryOf(path).has("limit") ? { path: path.replace(/cursor=[^&]*/, "cursor=x") } : {}))),
  fault("white space behind orders of a page", "pages.objects", text('}],"pagination"', '}], "pagination"')),
  fault("a second page by its number is 404", "query.unknown", status(200, 404, /(?<!page=\d)&page=\d+$/)),
  fault("the longest pages are not filtered", "query.after", asks(/(?<=\?limit=100)&orderedAfter=.*/, "")),
  fault("tags count the revisions of an object", "conditional.headers", tags(revisions)),
  fault("tokens of a shop have one limit", "rates.limit", () => {
    const reached = new Map<string, { readonly token: string; readonly answer: PassedAnswer }>()
    return {
      handles: async (asked, pass, world) => {
        const [shop, token] = [shopOf(asked, world), tokenOf(asked)]
        const before = reached.get(shop)
        if (before !== undefined && before.token !== token) return before.answer
        const answer = await pass()
        if (answer.status === 429) reached.set(shop, { token, answer })
        return answer
      },
    }
  }),
  fault("each token has tags of its own", "conditional.tokens",
    tags(() => (tag, asked) => tag.replace(/"$/, `${tokenOf(asked).slice(-6)}"`))),
]

/** Changes of designs and orders. */
// biome-ignore format: a fault is a row
const states: ReadonlyArray<ServiceFault> = [
  fault("a draft that is saved again keeps its selection", "states.again", saving((input, first) =>
    ({ ...input, selection: (first ?? input).selection }))),
  fault("an ordered design was created in another time zone", "states.changes", designs((own) => {
    const later = new Date(Date.parse(String(own["createdAt"])) + 7_200_000).toISOString().replace("Z", "+00:00")
    return own.status === "draft" ? own : { ...own, createdAt: later }
  })),
  fault("designs that are added come first", "orders.more", () => {
    const counts = new Map<string, number>()
    return {
      ...call("putOrder", async (own, given) => {
        await own(given)
        if (!counts.has(keyOf(given))) counts.set(keyOf(given), given.input.lines.length)
      }),
      handles: async (asked, pass, world) => {
        const answer = await pass()
        const id = /\/orders\/(\w+)$/.exec(asked.path)?.[1] ?? ""
        const count = counts.get(keyOf({ id, shop: shopOf(asked, world) })) ?? 0
        if (count === 0 || answer.status !== 200 || answer.body === "") return answer
        const order = JSON.parse(answer.body)
        if (order.designs.length === count) return answer
        const turned = { ...order, designs: [...order.designs.slice(count), ...order.designs.slice(0, count)] }
        return { ...answer, body: JSON.stringify(turned) }
      },
    }
  }),
  fault("an order that comes without lines is cancelled", "orders.none", {
    drives: ({ cancelOrder, putOrder }) => ({
      putOrder: async (given) => {
        await putOrder(given)
        if (given.input.lines.length === 0) await cancelOrder(given)
      },
    }),
  }),
]

/** Faults of the REST API that one case notices, and no other. */
export const narrowRest = [...access, ...shape, ...lists, ...states]
