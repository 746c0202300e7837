// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are code.
import { inFile } from "../RowFault.ts"

/** §4 the REST API, §5 access and signatures. */
export const restApi = [
  ...inFile("core/api/Reads.ts", [
    ["§4-1", "if (!isRead(request.method)) return", 'if (request.method === "GET") return'],
    ["§4-3", "Effect.flatMap(readOrder(shop, id)", "Effect.flatMap(readOrder(shop, id.slice(1))"],
  ]),
  ...inFile("adapters/memory/Orders.ts", [
    [
      "§4-2",
      "left.orderedAt - right.orderedAt || compareIds(left.id, right.id)",
      "right.orderedAt - left.orderedAt || compareIds(left.id, right.id)",
    ],
  ]),
  ...inFile("core/usecases/designs/ReadDesign.ts", [
    [
      "§4-4",
      "if (Option.isNone(found))",
      'if (Option.isNone(found) || found.value.wire.includes(\'"status":"draft"\'))',
    ],
  ]),
  ...inFile("core/usecases/customizers/ReadCustomizer.ts", [
    ["§4-5", "const text = wire(found.value)", "const text = wire({ ...found.value, definition: null })"],
  ]),
  ...inFile("core/model/Page.ts", [["§4-6", "maximumLimit = 100", "maximumLimit = 99"]]),
  ...inFile("core/usecases/orders/ReadOrders.ts", [
    ["§4-7", "after: cursor?.after ?? null", "after: null"],
    ["§4-8", "      orderedAfter: filter,", "      orderedAfter: filter === null ? null : filter + 1,"],
    ["§4-9", '],"pagination":\'', '],"paging":\''],
  ]),
  ...inFile("adapters/node/WebhookSender.ts", [["§4-11", 'method: "POST"', 'method: "PUT"']]),
  ...inFile("core/rules/TokenFormat.ts", [["§5-1", 'const prefix = "cmz_"', 'const prefix = "cmy_"']]),
  ...inFile("core/api/Admission.ts", [["§5-2", "/^bearer +(.+)$/i", "/^basic +(.+)$/i"]]),
  ...inFile("core/usecases/tokens/Authenticate.ts", [
    ["§5-3", "const caller: Caller = { shop,", "const caller: Caller = { shop: { ...shop, id: shop.domain },"],
    [
      "§5-5",
      "if (Option.isNone(found)) return yield* new Unauthorized({ message })",
      'if (Option.isNone(found)) return yield* Effect.die("no token")',
    ],
  ]),
  ...inFile("adapters/memory/Tokens.ts", [
    [
      "§5-4",
      "state.digests.delete(token.digest)\n        return Effect.as(publishTokens(state, [token]), true)",
      "return Effect.succeed(true)",
    ],
  ]),
  ...inFile("core/usecases/webhooks/ManageEndpoints.ts", [
    ["§5-6", "random.randomBytes(32)", "random.randomBytes(31)"],
  ]),
  ...inFile("core/rules/Signature.ts", [
    ["§5-7", "`${timestamp}.${body}`", "`${timestamp}:${body}`"],
    ["§5-8", "return difference === 0", "return difference >= 0"],
    ["§5-9", "const tolerance = 300", "const tolerance = 301"],
  ]),
]
