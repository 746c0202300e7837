// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are code.
import { inFile } from "../RowFault.ts"

/** §1 the service, §3 states, §7 errors, §8 limits, §9 versions. */
export const service = [
  ...inFile("core/rules/DesignState.ts", [
    [
      "§1-1",
      '{ from: "draft", trigger: "order", to: "ordered" },',
      '{ from: "draft", trigger: "order", to: "ordered" },\n  { from: "ordered", trigger: "save", to: "draft" },',
    ],
    [
      "§3-1",
      '{ from: "ordered", trigger: "cancel", to: "cancelled" }',
      '{ from: "ordered", trigger: "cancel", to: "ordered" }',
    ],
  ]),
  ...inFile("adapters/memory/Tokens.ts", [
    ["§1-7", "right.createdAt - left.createdAt", "left.createdAt - right.createdAt"],
  ]),
  ...inFile("core/rules/OrderState.ts", [
    ["§3-2", 'trigger: "cancel", to: "cancelled"', 'trigger: "cancel", to: "ordered"'],
    ["§3-5", '{ from: "ordered", trigger: "cancel", to: "cancelled" },', ""],
  ]),
  ...inFile("core/support/Placing.ts", [
    ["§3-4", "order: change.order, orderedAt: change.orderedAt })", "orderedAt: change.orderedAt })"],
  ]),
  ...inFile("core/api/Contract.ts", [
    ["§1-2", '"readOrder", "/orders/:platformOrderId"', '"readOrder", "/order/:platformOrderId"'],
  ]),
  ...inFile("core/api/Reads.ts", [
    ["§1-3", 'const readMethods = ["GET", "HEAD"]', 'const readMethods = ["GET", "HEAD", "POST"]'],
    ["§9-1", "version !== undefined && version !== apiVersion", "version === undefined && version !== apiVersion"],
  ]),
  ...inFile("core/support/Cancelling.ts", [["§1-4", 'event: "order.cancelled"', 'event: "design.ordered"']]),
  ...inFile("core/model/Event.ts", [
    ["§1-5", '`{"design":${wire}}`', '`{"design":${JSON.stringify(JSON.parse(wire), null, 1)}}`'],
    ["§9-2", "JSON.stringify({ id, event, apiVersion,", 'JSON.stringify({ id, event, apiVersion: "2026-09",'],
  ]),
  ...inFile("core/model/Shop.ts", [["§1-6", '["pro", "plus"]\n', '["free", "pro", "plus"]\n']]),
  ...inFile("core/api/Prefix.ts", [["§1-8", '"/api/v1"', '"/api/v2"']]),
  ...inFile("core/rules/Price.ts", [
    ["§1-9", "const rounding = roundingOf(sum, roundingStep)", "const rounding = roundingOf(sum, roundingStep) + 0.5"],
  ]),
  ...inFile("core/usecases/designs/SaveDesign.ts", [["§3-3", "const events = isNew\n", "const events = !isNew\n"]]),
  ...inFile("core/rules/EndpointState.ts", [
    ["§3-6", "maximumFailures = 20", "maximumFailures = 25"],
    ["§8-6", "maximumFailures = 20", "maximumFailures = 25"],
    ["§3-7", "{ ...newHealth, status }", '{ ...newHealth, status: "switched_off" }'],
  ]),
  ...inFile("core/rules/DeliveryState.ts", [
    [
      "§3-8",
      '{ from: "pending", trigger: "exhaust", to: "failed" }',
      '{ from: "pending", trigger: "exhaust", to: "succeeded" }',
    ],
  ]),
  ...inFile("core/api/ErrorAnswers.ts", [
    ["§7-1", "body: JSON.stringify({ message }),", "body: JSON.stringify({ error: message }),"],
  ]),
  ...inFile("core/api/Errors.ts", [
    ["§7-2", "Unauthorized: 401,", "Unauthorized: 403,"],
    ["§7-3", "NotFound: 404,", "NotFound: 403,"],
    ["§7-4", "RateLimited: 429,", "RateLimited: 503,"],
  ]),
  ...inFile("core/usecases/tokens/LimitRequest.ts", [["§8-1", "defaultRateLimit = 120", "defaultRateLimit = 121"]]),
  ...inFile("core/model/Page.ts", [["§8-2", "defaultLimit = 25", "defaultLimit = 20"]]),
  ...inFile("core/model/Endpoint.ts", [["§8-3", "maximumEndpoints = 5", "maximumEndpoints = 6"]]),
  ...inFile("core/usecases/dispatch/WorkerOptions.ts", [
    ["§8-4", "attemptTimeout = 5000", "attemptTimeout = 9000"],
    ["§8-4", "connectTimeout = 3000", "connectTimeout = 8000"],
  ]),
  ...inFile("core/rules/RetryPolicy.ts", [["§8-5", "24 * units.h", "12 * units.h"]]),
  ...inFile("core/usecases/webhooks/ManageDeliveries.ts", [
    ["§8-7", "log.list(shop.id, endpoint.id, logLength)", "log.list(shop.id, endpoint.id, 20)"],
  ]),
  ...inFile("hosts/receiver/index.ts", [["§8-8", "const tolerance = 300", "const tolerance = 3000"]]),
  ...inFile("core/model/Definition.ts", [["§9-3", "Schema.Literal(1)", "Schema.Literals([1, 2])"]]),
  ...inFile("adapters/memory/Customizers.ts", [
    [
      "§9-4",
      "version: definitions.length === 0 ? null : definitions.length,",
      "version: definitions.length === 0 ? null : 1,",
    ],
  ]),
]
