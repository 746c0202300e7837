// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are code.
import { inFile } from "../RowFault.ts"

/** §2: designs, orders, customizers, pages and events. */
export const resources = [
  ...inFile("core/model/Design.ts", [
    [
      "§2.1-1",
      "JSON.stringify({ id, status, customizer, order,",
      "JSON.stringify({ designId: id, status, customizer, order,",
    ],
    ["§2.1-4", "status, customizer, order, selection,", "status, customizer, selection,"],
  ]),
  ...inFile("core/usecases/designs/SaveDesign.ts", [
    ["§2.1-2", "      status,\n      customizer,", '      status: "saved" as never,\n      customizer,'],
    ["§2.1-3", "version: published.version }", "version: published.version + 1 }"],
    ["§2.1-5", "selection: selection as Selection,", "selection: { ...(selection as Selection), added: 1 },"],
    ["§2.1-13", "parse(createdAt)) ?? now", "parse(createdAt)) ?? now + 3_600_000"],
    ["§2.1-14", "      orderedAt: null,", "      orderedAt: format(now),"],
    ["§2.1-16", "if (status === undefined) {", "if (status === undefined && existing === undefined) {"],
  ]),
  ...inFile("core/rules/Evaluation.ts", [
    [
      "§2.1-6",
      "this.summary.push({ key: question.orderKey, value: answer.orderValue })",
      "this.summary.push({ key: question.orderKey, value: answer.id })",
    ],
    ["§2.1-7", "value: answer.productionCode,", "value: answer.id,"],
    [
      "§2.1-8",
      "ref: { questionId: question.id, answerId: answer.id },",
      "ref: { questionId: question.productionKey, answerId: answer.id },",
    ],
    [
      "§2.1-10",
      "{ q: question.id, a: answer, amount, variantId }",
      "{ q: question.title, a: answer, amount, variantId }",
    ],
    [
      "§2.1-15",
      "assign(selection)\n  for (const question of compiled.questions) pass",
      "assign(selection)\n  for (const question of compiled.questions.toReversed()) pass",
    ],
  ]),
  ...inFile("core/rules/Price.ts", [
    [
      "§2.1-9",
      "{ base, lines, rounding, total, currency }",
      "{ base, lines, rounding, total, currency: currency.toLowerCase() }",
    ],
  ]),
  ...inFile("core/rules/ImageUrls.ts", [
    ["§2.1-11", "Object.hasOwn(given.images, view) ? (given.images[view] ?? url) : url", "url"],
    ["§2.1-12", '`${views[0] ?? ""}_thumb`', '`${views.at(-1) ?? ""}_thumb`'],
  ]),
  ...inFile("core/model/Order.ts", [
    ["§2.2-1", "    id: order.id,\n    name", "    id: `#${order.id}`,\n    name"],
    ["§2.2-2", "name: order.name", "name: order.id"],
    ["§2.2-3", "status: order.status,", 'status: "ordered",'],
    ["§2.2-4", "currency: order.currency", "currency: order.currency.toLowerCase()"],
    ["§2.2-6", "orderedAt: order.orderedAt,\n  })", "orderedAt: order.orderedAt.slice(0, 19),\n  })"],
    [
      "§2.2-7",
      'designs.map((design) => design.wire).join(",") + tail',
      'designs.slice(0, 1).map((design) => design.wire).join(",") + tail',
    ],
  ]),
  ...inFile("core/support/Placing.ts", [
    ["§2.2-5", "sum + fromWire(design.wire).price.total, 0)", "sum + fromWire(design.wire).price.base, 0)"],
  ]),
  ...inFile("core/model/Customizer.ts", [
    ["§2.3-1", "    id: record.id,\n    title", "    id: String(record.id),\n    title"],
    ["§2.3-2", "title: record.title,", "title: record.platformProductId,"],
    ["§2.3-3", '? "draft" : "published"', '? "draft" : "active"'],
    ["§2.3-4", "\\/Product\\/[0-9]+$/", "\\/Product\\/.+$/"],
    [
      "§2.3-4",
      "platformProductId: record.platformProductId,\n    version",
      "platformProductId: record.assetBase,\n    version",
    ],
    ["§2.3-5", "version: record.version,", "version: record.version ?? 0,"],
    ["§2.3-6", "assetBase: record.assetBase,\n  })", "assetBase: `${record.assetBase}/`,\n  })"],
    ["§2.3-7", '${record.definition ?? "null"}', '${record.definition ?? "{}"}'],
  ]),
  ...inFile("core/model/Definition.ts", [
    ["§2.3-8", "rules: list(Rule),", "rules: optional(list(Rule)),"],
    ["§2.3-9", "productionCode: Text,", "productionCode: optional(Text),"],
  ]),
  ...inFile("core/usecases/orders/ReadOrders.ts", [
    ["§2.4-1", "total: found.total,", "total: found.orders.length,"],
    ["§2.4-2", "limit: query.limit, nextCursor })", "limit: found.orders.length, nextCursor })"],
    ["§2.4-3", "found.next === null ? null : yield* makeCursor", 'found.next === null ? "" : yield* makeCursor'],
  ]),
  ...inFile("core/model/Event.ts", [
    ["§2.5-1", "JSON.stringify({ id, event,", "JSON.stringify({ id: `${id}_`, event,"],
    ["§2.5-2", "JSON.stringify({ id, event, apiVersion", "JSON.stringify({ id, event: `shop.${event}`, apiVersion"],
    ["§2.5-3", 'apiVersion = "2026-10"', 'apiVersion = "2026-11"'],
    ["§2.5-4", "createdAt: format(now), shop", "createdAt: now, shop"],
    ["§2.5-5", "shop: shop.domain })", "shop: shop.id })"],
    ["§2.5-6", '"data":${data}', '"payload":${data}'],
    ["§2.5-7", '"test":${test}', '"test":false'],
  ]),
]
