import { inFile, type Mutant } from "../../Mutant.ts"

/** Faults in the adapter over SQL: in designs, orders, their numbers and the customizers that they are made of. */
export const orders: ReadonlyArray<Mutant> = [
  ...inFile("sql", "adapters/sql/resources/Commits.ts", [
    {
      id: "orders.together.report",
      find: "WHERE designwire.known_of_order(${shop}, r.id) IS NULL ON CONFLICT",
      replace: "ON CONFLICT",
      caughtBy: ["resources.orders.stale"],
    },
    {
      id: "orders.together.counted",
      find: "SELECT * FROM new_orders RETURNING 1",
      replace: "SELECT * FROM new_orders LIMIT 1 RETURNING 1",
      caughtBy: ["resources.orders.together"],
    },
    {
      id: "remove.stale",
      find: "AND id = ${id} AND revision = ${revision}::int4 RETURNING",
      replace: "AND id = ${id} AND revision >= ${revision}::int4 RETURNING",
      caughtBy: ["resources.remove.stale"],
    },
    {
      id: "remove.shop",
      find: "designwire.designs WHERE shop = ${shop} AND id = ${id} AND revision",
      replace: "designwire.designs WHERE shop >= ${shop.slice(0, 0)} AND id = ${id} AND revision",
      caughtBy: ["resources.remove"],
    },
    {
      id: "orders.stale",
      find: "AND revision = ${order.revision - 1} RETURNING",
      replace: "RETURNING",
      caughtBy: ["resources.commit.stale.order"],
    },
    {
      id: "designs.stale",
      find: "AND d.id = r.id AND d.revision = r.revision - 1\n",
      replace: "AND d.id = r.id\n",
      caughtBy: ["resources.commit.stale.skipped"],
      sample: true,
    },
    {
      id: "commit.stale",
      find: "ELSE ${stale} END AS complete",
      replace: "ELSE true END AS complete",
      caughtBy: ["resources.commit.stale.order"],
    },
    {
      id: "commit.stale.alone",
      find: 'ownStatement || undivided ? "designwire.refuse_stale()"',
      replace: 'undivided ? "designwire.refuse_stale()"',
      caughtBy: ["resources.commit.atomic.last"],
    },
    {
      id: "commit.long.atomic",
      find: "ownStatement || undivided ? whole : sql.withTransaction(whole)",
      replace: "whole",
      caughtBy: ["resources.commit.long.stale"],
    },
    {
      id: "commit.stale.within",
      find: "if (row?.complete !== true) return",
      replace: "if (row === undefined) return",
      caughtBy: ["resources.transaction.stale"],
    },
    {
      id: "designs.shop",
      find: "WHERE d.shop = ${shop} AND d.id = r.id AND d.revision",
      replace: "WHERE d.id = r.id AND d.revision",
      caughtBy: ["resources.commit.shops"],
    },
    {
      id: "orders.etag",
      find: "SET head = ${order.head}, etag = ${order.etag}, revision",
      replace: "SET head = ${order.head}, revision",
      caughtBy: ["resources.order.life"],
    },
    {
      id: "orders.counted",
      find: "INSERT INTO designwire.uncounted_orders (shop, id, ordered_at) SELECT * FROM new_order RETURNING 1",
      replace: "SELECT 1 FROM new_order",
      caughtBy: ["resources.page.order"],
    },
    {
      id: "orders.deadlock",
      find: 'error.reason._tag === "DeadlockError" || error',
      replace: "error",
      caughtBy: ["resources.transaction.crossed"],
    },
    {
      id: "orders.retry-within",
      find: "new StaleRevision({ canRetry: !within })",
      replace: "new StaleRevision({ canRetry: true })",
      caughtBy: ["resources.transaction.stale"],
    },
  ]),
  ...inFile("sql", "adapters/sql/resources/Inbox.ts", [
    {
      id: "inbox.order.first",
      find: "AND o.order_id = ${item.orderId} AND o.source",
      replace: "AND o.order_id = ${item.id} AND o.source",
      caughtBy: ["inbox.order"],
    },
    {
      id: "inbox.order.source",
      find: "AND o.source = ${item.source}\n",
      replace: "\n",
      caughtBy: ["inbox.order"],
    },
  ]),
  ...inFile("sql", "adapters/sql/resources/OrderReads.ts", [
    {
      id: "order.position",
      find: 'AND NOT s."isLong"\nWHERE o.shop = ${shop} AND o.id = ${id} ORDER BY d.position`',
      replace: 'AND NOT s."isLong"\nWHERE o.shop = ${shop} AND o.id = ${id} ORDER BY d.position DESC`',
      caughtBy: ["resources.order.composition"],
    },
  ]),
  ...inFile("sql", "adapters/sql/resources/Orders.ts", [
    {
      id: "latest.position",
      find: "o.ordered_at DESC, o.id DESC, d.position LIMIT 1",
      replace: "o.ordered_at DESC, o.id DESC LIMIT 1",
      caughtBy: ["resources.latest.ties"],
    },
    {
      id: "latest.status",
      find: "AND d.order_id = o.id AND d.status = 'ordered'",
      replace: "AND d.order_id = o.id",
      caughtBy: ["resources.latest.newest"],
    },
  ]),
  ...inFile("sql", "adapters/sql/resources/OrderPages.ts", [
    {
      id: "orders.position",
      find: "string_agg(d.wire, ',' ORDER BY d.position)",
      replace: "string_agg(d.wire, ',' ORDER BY d.position DESC)",
      caughtBy: ["resources.page.wire"],
    },
    {
      id: "page.after",
      find: "(o.ordered_at, o.id) < (",
      replace: "(o.ordered_at, o.id) <= (",
      caughtBy: ["resources.page.next"],
    },
    {
      id: "page.since",
      find: "o.ordered_at >= ${format(orderedAfter)}",
      replace: "o.ordered_at > ${format(orderedAfter)}",
      caughtBy: ["resources.page.bound"],
    },
    {
      id: "page.bytes",
      find: "o.reached <= ${bytes}::int4",
      replace: "o.reached < ${bytes}::int4",
      caughtBy: ["resources.page.bytes"],
    },
    {
      id: "page.bytes.utf8",
      find: "sum(octet_length(d.wire) + 1) - 1",
      replace: "sum(length(d.wire) + 1) - 1",
      caughtBy: ["resources.page.bytes"],
    },
    {
      id: "page.first",
      find: "CASE WHEN o.place = 1 OR (",
      replace: "CASE WHEN (",
      caughtBy: ["resources.page.bytes.large"],
    },
    {
      id: "page.next",
      find: "LIMIT ${sql.literal(`${limit + 1}`)}",
      replace: "LIMIT ${sql.literal(`${limit}`)}",
      caughtBy: ["resources.page.next"],
      sample: true,
    },
  ]),
  ...inFile("sql", "adapters/sql/resources/OrderCounts.ts", [
    {
      id: "counts.hour",
      find: "AND ordered_at >= ${after} AND ordered_at < ${nextHour})",
      replace: "AND ordered_at > ${after} AND ordered_at < ${nextHour})",
      caughtBy: ["resources.page.bound"],
    },
    {
      id: "counts.uncounted",
      find: "FROM designwire.uncounted_orders WHERE shop = ${shop} AND ordered_at >= ${nextHour})",
      replace: "FROM designwire.uncounted_orders WHERE shop = ${shop} AND ordered_at > ${nextHour})",
      caughtBy: ["resources.page.borders"],
    },
    {
      id: "counts.unit",
      find: "c.since > date_trunc(u.unit, ${utc})",
      replace: "c.since >= date_trunc(u.unit, ${utc})",
      caughtBy: ["resources.page.borders"],
    },
    {
      id: "counts.zone",
      find: "ELSE date_trunc(u.unit, o.ordered_at AT TIME ZONE 'UTC') END",
      replace: "ELSE date_trunc(u.unit, o.ordered_at AT TIME ZONE 'Asia/Kolkata') END",
      caughtBy: ["resources.page.borders"],
    },
    {
      id: "counts.folded-twice",
      find: "DO UPDATE SET orders = c.orders + excluded.orders",
      replace: "DO UPDATE SET orders = excluded.orders",
      caughtBy: ["resources.page.counted"],
    },
  ]),
  ...inFile("sql", "adapters/sql/resources/Customizers.ts", [
    {
      id: "customizers.version",
      find: "AND v.customizer_id = c.id AND v.version = c.version`",
      replace: "AND v.customizer_id = c.id AND v.version = 1`",
      caughtBy: ["resources.customizer.publish"],
    },
    {
      id: "customizers.shop",
      find: "v.shop = c.shop AND v.customizer_id = c.id AND",
      replace: "v.customizer_id = c.id AND",
      caughtBy: ["resources.customizer.shops.version"],
    },
  ]),
  ...inFile("sql", "adapters/sql/resources/Orders.ts", [
    {
      id: "orders.has-design",
      find: "WHERE shop = ${shop} AND id = ${id}\n) AS found",
      replace: "WHERE id = ${id}\n) AS found",
      caughtBy: ["resources.design.exists"],
    },
  ]),
  ...inFile("sql", "adapters/sql/resources/OrderSearch.ts", [
    {
      id: "orders.cut.none",
      find: "FROM (SELECT 1) one LEFT JOIN found o ON true ${tables}",
      replace: "FROM found o ${tables}",
      caughtBy: ["resources.search.exact"],
    },
    {
      id: "orders.exact.id",
      find: "AND o.id = ${own} UNION",
      replace: "AND o.id >= ${own} UNION",
      caughtBy: ["resources.search.exact"],
    },
    {
      id: "orders.exact.name",
      find: 'AND ${key} = lower(${jsonText(own)} COLLATE "C")',
      replace: "AND ${key} = ${jsonText(own)}",
      caughtBy: ["resources.search.exact"],
    },
    {
      id: "orders.equal-names",
      find: "OVER (ORDER BY ${key}, o.ordered_at DESC, o.id DESC)",
      replace: "OVER (ORDER BY ${key}, o.id)",
      caughtBy: ["resources.search.exact"],
    },
  ]),
  ...inFile("sql", "adapters/sql/resources/DesignPages.ts", [
    {
      id: "design-pages.bytes",
      find: "p.reached <= ${bytes}::int4",
      replace: "p.reached < ${bytes}::int4",
      caughtBy: ["resources.designs.bytes"],
    },
    {
      id: "design-pages.created",
      find: "d.created_at >= ${format(createdFrom)}",
      replace: "d.created_at > ${format(createdFrom)}",
      caughtBy: ["resources.designs.created"],
    },
    {
      id: "design-pages.after",
      find: "d.id > ${after}",
      replace: "d.id >= ${after}",
      caughtBy: ["resources.designs"],
    },
    {
      id: "design-pages.shop",
      find: "sql`d.shop = ${shop}`",
      replace: "sql`d.shop <> ''`",
      caughtBy: ["resources.designs"],
    },
  ]),
]
