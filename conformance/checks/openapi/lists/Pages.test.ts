/**
 * Every list of the settings app, found by its link to the next page, by every filter to its end: exactly the filtered
 * set, each entry once, in the order of the list. A list or a filter that is new has no data here, and fails.
 */

import { expect, layer as testLayer } from "@effect/vitest"
import { Context, Effect } from "effect"
import type { AuditEntry } from "../../../../core/model/audit/AuditEntry.ts"
import { InboxStates } from "../../../../core/model/ingest/InboxView.ts"
import type { LoggedDelivery } from "../../../../core/model/webhooks/LoggedDelivery.ts"
import { AuditStore } from "../../../../core/ports/AuditStore.ts"
import { CustomizerStore } from "../../../../core/ports/CustomizerStore.ts"
import { DeliveryLog } from "../../../../core/ports/DeliveryLog.ts"
import { EventStore } from "../../../../core/ports/EventStore.ts"
import { Inbox } from "../../../../core/ports/Inbox.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { TokenStore } from "../../../../core/ports/TokenStore.ts"
import { signedIn } from "../../../testkit/browsers/Browser.ts"
import { layerWorld, shop, World, walk } from "./World.ts"

/** A filter, and the ids of the entries that it selects, in the order of the list. */
interface Filtered {
  readonly query: Readonly<Record<string, string>>
  readonly ids: ReadonlyArray<string>
  /** One page may have all of it. */
  readonly isShort?: true
}

/** A list: the ids in a page, and what is asked. */
interface List {
  readonly rows: RegExp
  readonly filters: ReadonlyArray<Filtered>
  /** Each page is grouped: the order within it is another one. */
  readonly isGrouped?: true
}

/** Days, as forms send them. */
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)

const rowsOfDeliveries = /deliveries\/(dlv_\w+)"/g

/** Without the fate of the found orders, whose deliveries are named by their kinds. */
const rowsOfFound = /deliveries\/(dlv_\w+)">(?!<code>[^<]*<\/code><\/a>)/g

const deliveryLists = Effect.gen(function* () {
  const { endpoints, ports } = yield* World
  const log = Context.get(ports, DeliveryLog)
  const logged = (read: (after: { at: number; id: string } | null) => ReturnType<typeof log.page>) =>
    Effect.map(
      walk((after: { at: number; id: string } | undefined) =>
        Effect.map(read(after ?? null), ({ deliveries, next }) => ({ entries: deliveries, next: next ?? undefined })),
      ),
      ({ all }) => all,
    )
  const deliveries = yield* logged((after) => log.page({ shop, after, limit: 100, filter: {} }))
  const pending = yield* logged((after) => log.page({ shop, pending: {}, after, limit: 100 }))
  const about = yield* Context.get(ports, EventStore).find({ shop, about: { order: "1001" }, limit: 200 })
  const events = about.map(({ id }) => id)
  const found = yield* logged((after) => log.page({ shop, events, after, limit: 100 }))
  const idsOf = (all: ReadonlyArray<LoggedDelivery>, selects: (one: LoggedDelivery) => boolean = () => true) =>
    all.filter(selects).map(({ id }) => id)
  const [first] = deliveries
  const lastDay = dayOf((first?.createdAt ?? 0) - 12 * 3_600_000)
  const lists: Readonly<Record<string, List>> = {
    [`/settings/${shop}/deliveries`]: {
      rows: rowsOfDeliveries,
      filters: [
        { query: {}, ids: idsOf(deliveries) },
        { query: { state: "failed" }, ids: idsOf(deliveries, ({ status }) => status === "failed") },
        { query: { state: "pending" }, ids: idsOf(deliveries, ({ status }) => status === "pending") },
        {
          query: { endpoint: endpoints.quiet },
          ids: idsOf(deliveries, ({ endpointId }) => endpointId === endpoints.quiet),
        },
        { query: { kind: "design.ordered" }, ids: idsOf(deliveries, ({ event }) => event === "design.ordered") },
        {
          query: { test: "yes", state: "failed" },
          ids: idsOf(deliveries, ({ status, test }) => test && status === "failed"),
        },
        {
          query: { test: "no", state: "failed" },
          ids: idsOf(deliveries, ({ status, test }) => !test && status === "failed"),
        },
        { query: { from: lastDay }, ids: idsOf(deliveries, ({ createdAt }) => createdAt >= startOf(lastDay)) },
        {
          query: { to: lastDay },
          ids: idsOf(deliveries, ({ createdAt }) => createdAt < startOf(lastDay) + 86_400_000),
        },
      ],
    },
    [`/settings/${shop}/deliveries/waiting`]: {
      rows: rowsOfDeliveries,
      filters: [
        { query: {}, ids: idsOf(pending, ({ endpointId }) => endpointId !== endpoints.off) },
        {
          query: { endpoint: endpoints.failing },
          ids: idsOf(pending, ({ endpointId }) => endpointId === endpoints.failing),
        },
        {
          query: { cause: "held" },
          ids: idsOf(pending, ({ endpointId }) => endpointId === endpoints.off),
          isShort: true,
        },
      ],
    },
    [`/settings/${shop}/find`]: { rows: rowsOfFound, filters: [{ query: { q: "1001" }, ids: idsOf(found) }] },
  }
  return lists
})

interface ReadOrder {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly orderedAt: string
  readonly designs: ReadonlyArray<{
    readonly id: string
    readonly status: string
    readonly customizer: { readonly id: number }
  }>
}

const orderLists = Effect.gen(function* () {
  const { ports } = yield* World
  const orders = yield* Effect.map(
    walk((after: { orderedAt: number; id: string } | undefined) =>
      Effect.map(
        Context.get(ports, OrderStore).readOrders({
          shop,
          limit: 100,
          bytes: 2 ** 30,
          after: after ?? null,
          orderedAfter: null,
        }),
        (page) => ({
          entries: page.orders.map(({ wire }) => JSON.parse(wire) as ReadOrder),
          next: page.next ?? undefined,
        }),
      ),
    ),
    ({ all }) => all,
  )
  const ordersBy = (selects: (order: (typeof orders)[number]) => boolean) => orders.filter(selects).map(({ id }) => id)
  const madeOf = (selects: (order: ReadOrder) => boolean, isOf: (customizer: number) => boolean = () => true) =>
    orders
      .filter(selects)
      .flatMap(({ designs }) =>
        designs.filter(({ customizer, status }) => status === "ordered" && isOf(customizer.id)).map(({ id }) => id),
      )
  const lists: Readonly<Record<string, List>> = {
    [`/settings/${shop}/production`]: {
      rows: /designs\/([^"/]+)"><bdi>/g,
      isGrouped: true,
      filters: [
        { query: {}, ids: madeOf(() => true) },
        {
          query: { customizer: "1" },
          ids: madeOf(
            () => true,
            (customizer) => customizer === 1,
          ),
          isShort: true,
        },
        {
          query: { from: "2026-01-05" },
          ids: madeOf(({ orderedAt }) => Date.parse(orderedAt) >= startOf("2026-01-05")),
          isShort: true,
        },
        {
          query: { to: "2026-01-09" },
          ids: madeOf(({ orderedAt }) => Date.parse(orderedAt) < startOf("2026-01-10")),
          isShort: true,
        },
      ],
    },
    [`/settings/${shop}/orders`]: {
      rows: /<p class="order"><a href="[^"]*orders\/([^"]+)"/g,
      filters: [
        { query: {}, ids: ordersBy(() => true) },
        { query: { status: "cancelled" }, ids: ordersBy(({ status }) => status === "cancelled") },
        {
          query: { customizer: "101" },
          ids: ordersBy(({ designs }) => designs.some(({ customizer }) => customizer.id === 101)),
        },
        { query: { text: "#n-" }, ids: ordersBy(({ name }) => name.startsWith("#n-")) },
        { query: { text: "#n-07", exact: "yes" }, ids: ordersBy(({ name }) => name === "#n-07") },
        {
          query: { from: "2026-01-05" },
          ids: ordersBy(({ orderedAt }) => Date.parse(orderedAt) >= startOf("2026-01-05")),
        },
        {
          query: { to: "2026-01-09" },
          ids: ordersBy(({ orderedAt }) => Date.parse(orderedAt) < startOf("2026-01-10")),
        },
      ],
    },
  }
  return lists
})

const otherLists = Effect.gen(function* () {
  const { ports } = yield* World
  const all = { subject: null, from: null, until: null, after: null, limit: 100_000 }
  const audit = (yield* Context.get(ports, AuditStore).list({ shop, ...all })).filter(
    ({ subject }) => subject.type !== "shop",
  )
  const auditBy = (selects: (entry: AuditEntry) => boolean) => audit.filter(selects).map(({ subject }) => subject.id)
  const today = dayOf(audit[0]?.at ?? 0)
  const inbox = yield* Context.get(ports, Inbox).list({ shop, state: null, after: null, limit: 100_000 })
  const customizers = yield* Context.get(ports, CustomizerStore).list({ shop, after: 0, limit: 100_000 })
  const tokens = (yield* Context.get(ports, TokenStore).list(shop)).toSorted(
    (one, other) => other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1),
  )
  const shops = (yield* Context.get(ports, ShopStore).list({ search: null, after: null, limit: 1_000 }))
    .map(({ id }) => id)
    .toSorted()
  const lists: Readonly<Record<string, List>> = {
    [`/settings/${shop}/inbox`]: {
      rows: /<bdi>(topic-\d+)<\/bdi>/g,
      filters: [
        { query: {}, ids: inbox.map(({ topic }) => topic) },
        ...InboxStates.literals.map((state) => ({
          query: { state },
          ids: inbox.filter((event) => event.state === state).map(({ topic }) => topic),
        })),
        {
          query: { from: "2026-01-02", to: "2026-01-03" },
          ids: inbox
            .filter(({ receivedAt: at }) => at >= startOf("2026-01-02") && at < startOf("2026-01-04"))
            .map(({ topic }) => topic),
        },
        {
          query: { q: String(inbox[0]?.orderId) },
          ids: inbox.filter(({ orderId }) => orderId === inbox[0]?.orderId).map(({ topic }) => topic),
          isShort: true,
        },
      ],
    },
    [`/settings/${shop}/audit`]: {
      rows: /<code hidden>([^<]*)<\/code>/g,
      filters: [
        { query: {}, ids: auditBy(() => true) },
        { query: { subject: "design" }, ids: auditBy(({ subject }) => subject.type === "design") },
        { query: { from: today }, ids: auditBy(({ at }) => at >= startOf(today)) },
        { query: { to: today, subject: "order" }, ids: auditBy(({ subject }) => subject.type === "order") },
      ],
    },
    [`/settings/${shop}/customizers`]: {
      rows: /customizers\/(\d+)"/g,
      filters: [{ query: {}, ids: customizers.map(({ id }) => String(id)) }],
    },
    [`/settings/${shop}/tokens`]: {
      rows: /tokens\/(tok_\w+)\/delete["?]/g,
      filters: [
        { query: {}, ids: tokens.map(({ id }) => id) },
        { query: { q: "system" }, ids: tokens.filter(({ name }) => name.startsWith("System")).map(({ id }) => id) },
      ],
    },
    "/settings/stores": {
      rows: /href="[^"]*?([a-z\d-]+)\/" class="store-choice"/g,
      filters: [
        { query: {}, ids: shops },
        { query: { q: "store-" }, ids: shops.filter((id) => id.startsWith("store-")) },
      ],
    },
  }
  return lists
})

/** What every list has, from the stores behind it, by the path of its page. */
const known = Effect.map(
  Effect.all([deliveryLists, orderLists, otherLists]),
  (all): Readonly<Record<string, List>> => Object.assign({}, ...all),
)

const hrefs = (html: string, selects = (tag: string) => !tag.includes(" download")): ReadonlyArray<string> =>
  [...html.matchAll(/<a [^>]*?href="([^"]*)"[^>]*>/g)]
    .filter(([tag]) => selects(tag))
    .map(([, href = ""]) => href.replaceAll("&amp;", "&"))

/** The address of the next page, if a page has one. Other links keep the cursor of the page that they lead back to. */
const nextOf = (html: string): string | undefined => hrefs(html, (tag) => tag.includes(' rel="next"'))[0]

/** The names of the fields of a page's filter, and of its links to itself with one. */
const filtersOf = (path: string, html: string): ReadonlyArray<string> => {
  const forms = [...html.matchAll(/<form (?![^>]*method="post")[^>]*>([\s\S]*?)<\/form>/g)].map(
    ([, inside = ""]) => inside,
  )
  const fields = forms.flatMap((inside) =>
    [...inside.matchAll(/<(?:input|select) [^>]*name="(\w+)"/g)].map(([, name = ""]) => name),
  )
  const links = hrefs(html)
    .map((href) => new URL(href, `http://host.test${path}`))
    .filter(({ pathname }) => pathname === path)
    .flatMap(({ searchParams }) => [...searchParams.keys()])
  return [...fields, ...links].filter((name) => name !== "after")
}

testLayer(layerWorld, { excludeTestServices: true })("The lists of the settings app", (it) => {
  it.effect("MUST have exactly the filtered set, each once and in order, whichever filter is set", () =>
    Effect.gen(function* () {
      const { send } = yield* World
      const { anywhere: browser } = yield* signedIn(send, shop)
      for (const [path, { filters, isGrouped, rows }] of Object.entries(yield* known)) {
        const names = new Set<string>()
        for (const { ids, isShort, query } of filters) {
          const { all, pages } = yield* walk((next: string | undefined) =>
            Effect.gen(function* () {
              const page = yield* browser.open(next ?? `${path}?${new URLSearchParams(query)}`)
              expect([path, page.status]).toEqual([path, 200])
              const main = /<main[^>]*>([\s\S]*)<\/main>/.exec(page.text)?.[1] ?? ""
              for (const name of filtersOf(path, main)) names.add(name)
              const after = nextOf(main)
              return {
                entries: [...main.matchAll(rows)].map(([, id = ""]) => decodeURIComponent(id)),
                next:
                  after === undefined
                    ? undefined
                    : new URL(after, `http://host.test${page.path}`).href.slice("http://host.test".length),
              }
            }),
          )
          const what = `${path} ${JSON.stringify(query)}`
          const inOrder = (list: ReadonlyArray<string>) => (isGrouped === true ? list.toSorted() : list)
          expect([what, inOrder(all)]).toEqual([what, inOrder(ids)])
          if (query["exact"] === undefined && isShort !== true) expect([what, pages > 1]).toEqual([what, true])
        }
        const asked = new Set(filters.flatMap(({ query }) => Object.keys(query)))
        expect([path, [...names].filter((name) => !asked.has(name))]).toEqual([path, []])
      }
    }),
  )

  it.effect("MUST be the ones that are known here: no other page has a link to a next one", () =>
    Effect.gen(function* () {
      const { send } = yield* World
      const { anywhere: browser } = yield* signedIn(send, shop)
      const lists = Object.keys(yield* known)
      /** A page, whatever its ids and the values of its query are. */
      const formOf = ({ pathname, searchParams }: URL) =>
        `${pathname.replaceAll(/\/(?:\w+_\w+|\d+|[^/]*%[^/]*|n-\d\d(?:-d)?|store-\d\d)(?=\/|$)/g, "/*")}?${[...searchParams.keys()].sort()}`
      const seen = new Set<string>()
      const queue = [`/settings/${shop}/`, "/settings/stores", ...lists]
      const cursors = new Set<string>()
      for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
        const page = yield* browser.open(path)
        if (page.headers["content-type"]?.startsWith("text/html") !== true) continue
        if (nextOf(page.text) !== undefined) cursors.add(new URL(page.path, "http://host.test").pathname)
        for (const href of hrefs(page.text)) {
          const url = new URL(href, `http://host.test${page.path}`)
          if (url.host !== "host.test" || !url.pathname.startsWith("/settings/")) continue
          if (seen.has(formOf(url)) || /sign-out|\/(?:body|json)$/.test(url.pathname)) continue
          seen.add(formOf(url))
          queue.push(url.pathname + url.search)
        }
      }
      expect(seen.size).toBeGreaterThan(30)
      expect([...cursors].filter((path) => !lists.includes(path))).toEqual([])
    }),
  )
})
