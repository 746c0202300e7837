import { inFile, type Mutant } from "../../Mutant.ts"

/** Faults in the adapter in memory: in designs, orders and customizers. */
export const orders: ReadonlyArray<Mutant> = [
  ...inFile("memory", "adapters/memory/Orders.ts", [
    {
      id: "orders.together.stale",
      find: "if (isStale) return",
      replace: "if (false) return",
      caughtBy: ["resources.orders.stale"],
    },
    {
      id: "inbox.order.first",
      find: "(inboxItem === undefined || isFirstOfOrder(inbox, inboxItem)) &&",
      replace: "",
      caughtBy: ["inbox.order"],
    },
    {
      id: "inbox.order.stored",
      find: "if (change.inboxItem !== undefined) putItem(holdings.inbox, change.inboxItem)",
      replace: "",
      caughtBy: ["inbox.order"],
    },
    {
      id: "remove.stale",
      find: "if (holdings?.designs.get(id)?.revision !== revision) {",
      replace: "if (holdings === undefined || revision < 0) {",
      caughtBy: ["resources.remove.stale"],
    },
    {
      id: "remove.retried",
      find: "return Effect.fail(new StaleRevision({ canRetry: true }))\n        }",
      replace: "return Effect.fail(new StaleRevision({ canRetry: false }))\n        }",
      caughtBy: ["resources.remove.stale"],
    },
    {
      id: "remove.events",
      find: "redactEvents(holdings, events)\n        return Effect.void",
      replace: "return Effect.void",
      caughtBy: ["resources.remove.events"],
    },
    {
      id: "commit.stale",
      find: "if (!isCurrent(holdings, change)) return",
      replace: "if (false) return",
      caughtBy: ["resources.commit.stale.design"],
      sample: true,
    },
    {
      id: "commit.stale.order",
      find: "(order.revision === 1 + (orders.get(order.id)?.revision ?? 0)",
      replace: "(order.revision >= (orders.get(order.id)?.revision ?? 0)",
      caughtBy: ["resources.commit.stale.order.skipped"],
    },
    {
      id: "early.unnamed",
      find: "isSame(kept.get(order.id), unstored)",
      replace: "true",
      caughtBy: ["resources.early.commit"],
    },
    {
      id: "early.empty",
      find: "report.isEmpty || (still && before.isEmpty)",
      replace: "report.isEmpty",
      caughtBy: ["resources.early.kept"],
    },
    {
      id: "early.left",
      find: "holdings.unstored.delete(change.order.id)",
      replace: "",
      caughtBy: ["resources.early.commit"],
    },
    {
      id: "order.named",
      find: "if (before !== undefined && before.orderId !== null) designsOfOrder.get(before.orderId)?.delete(design.id)",
      replace: "",
      caughtBy: ["resources.order.named"],
    },
    {
      id: "order.counted-twice",
      find: "if (before !== undefined) positions.splice(placeOf(positions, before), 1)",
      replace: "",
      caughtBy: ["resources.page.changed"],
    },
    {
      id: "latest.cancelled",
      find: '.find((design) => design.status === "ordered")',
      replace: "[0]",
      caughtBy: ["resources.latest.newest"],
    },
    {
      id: "latest.newest",
      find: "holdings.positions.toReversed()",
      replace: "holdings.positions",
      caughtBy: ["resources.latest.newest"],
    },
    {
      id: "page.bytes",
      find: "if (left < 0 && orders.length > 0) break",
      replace: "if (left <= 0 && orders.length > 0) break",
      caughtBy: ["resources.page.bytes"],
    },
    {
      id: "page.bytes.utf8",
      find: "left -= utf8Length(one.wire)",
      replace: "left -= one.wire.length",
      caughtBy: ["resources.page.bytes"],
    },
    {
      id: "page.total",
      find: "total: positions.length - first",
      replace: "total: positions.length",
      caughtBy: ["resources.page.bound"],
    },
    {
      id: "page.next",
      find: "end - orders.length > first ? last : null",
      replace: "end - orders.length > 0 ? last : null",
      caughtBy: ["resources.page.bound"],
    },
    {
      id: "page.ties",
      find: "left.orderedAt - right.orderedAt || compareIds(left.id, right.id)",
      replace: "left.orderedAt - right.orderedAt || (left.id < right.id ? -1 : left.id > right.id ? 1 : 0)",
      caughtBy: ["resources.page.ties"],
      sample: true,
    },
    {
      id: "events.wake",
      find: "if (deliveries.some((made) => made > 0)) wakeWorkers(state, [change.shop])",
      replace: "",
      caughtBy: ["signals.commit.here"],
    },
    {
      id: "events.off",
      find: " || !isFor(event, endpoint, shop)) continue",
      replace: ") continue",
      caughtBy: ["events.commit.deliveries"],
    },
  ]),
  ...inFile("memory", "adapters/memory/Customizers.ts", [
    {
      id: "customizers.description",
      find: "customizers.get(id) ?? { description, definitions: [] }",
      replace: "{ description, definitions: [] }",
      caughtBy: ["resources.customizer.describe.published"],
    },
    {
      id: "customizers.version",
      find: "definitions[version - 1]?.definition",
      replace: "definitions.at(-1)?.definition",
      caughtBy: ["resources.customizer.publish"],
    },
  ]),
  ...inFile("memory", "adapters/memory/OrderSearch.ts", [
    {
      id: "orders.exact",
      find: "order.id === text || keyOf(order) === searchKey(text)",
      replace: "order.id === text || keyOf(order).startsWith(searchKey(text))",
      caughtBy: ["resources.search.exact"],
    },
    {
      id: "orders.equal-names",
      find: "compareIds(left.key, right.key) || newestFirst(left.order, right.order)",
      replace: "compareIds(left.key, right.key) || newestFirst(right.order, left.order)",
      caughtBy: ["resources.search.exact"],
    },
  ]),
  ...inFile("memory", "adapters/memory/DesignsOf.ts", [
    {
      id: "order.line-order",
      find: ".sort((left, right) => left.position - right.position)",
      replace: "",
      caughtBy: ["resources.order.composition"],
    },
  ]),
  ...inFile("memory", "adapters/memory/Orders.ts", [
    {
      id: "design-pages.bytes",
      find: "return left < 0 && index > 0",
      replace: "return left <= 0 && index > 0",
      caughtBy: ["resources.designs.bytes"],
    },
    {
      id: "design-pages.next",
      find: "wanted.length > designs.length ? (designs.at(-1)?.id ?? null) : null }",
      replace: "designs.at(-1)?.id ?? null }",
      caughtBy: ["resources.designs"],
    },
  ]),
]
