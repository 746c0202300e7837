// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are code.
import { inFile } from "../RowFault.ts"

/** §6: events, the headers of a delivery, retries, and which hosts are accepted. */
export const webhooks = [
  ...inFile("core/support/Placing.ts", [
    [
      "§6-1",
      "const events = yield* Effect.forEach(ordered,",
      "const events = yield* Effect.forEach(designs as typeof ordered,",
    ],
  ]),
  ...inFile("core/usecases/orders/CancelOrder.ts", [["§6-2", "events: [cancelled.event] }", "events: [] }"]]),
  ...inFile("core/model/Event.ts", [
    ["§6-3", '["design.ordered", "order.cancelled"]\n', '["design.ordered", "order.cancelled", "design.created"]\n'],
    ["§6-4", "JSON.stringify({ message })", "JSON.stringify({ text: message })"],
    ["§6-5", '`{"order":${wire}}`', '`{"order":${wire.replace(/"images":\\{[^}]*\\}/g, \'"images":{}\')}}`'],
  ]),
  ...inFile("core/rules/deliveries/Wanted.ts", [
    ["§6-6", "return taken.includes(event) &&", "return taken.length > 0 &&"],
  ]),
  ...inFile("core/rules/DeliveryState.ts", [
    ["§6-14", "attempt.statusCode >= 200 && attempt.statusCode <= 299", "attempt.statusCode === 200"],
    [
      "§6-15",
      "attempt.statusCode >= 200 && attempt.statusCode <= 299",
      "attempt.statusCode >= 200 && attempt.statusCode <= 399",
    ],
    ["§6-17", "success || delivery.test ? null", "success ? null"],
    [
      "§6-21",
      '{ from: "pending", trigger: "exhaust", to: "failed" }',
      '{ from: "pending", trigger: "exhaust", to: "pending" }',
    ],
    [
      "§6-13",
      "id,\n  endpointId: endpoint.id,\n  eventId: event.id,",
      "id,\n  endpointId: endpoint.id,\n  eventId: `${event.id}r`,",
    ],
  ]),
  ...inFile("core/support/DeliveryHeaders.ts", [
    ["§6-7", '"Content-Type": "application/json"', '"Content-Type": "application/json; charset=utf-8"'],
    [
      "§6-8",
      "const userAgent = `${yield* ServiceName}-Webhooks/1.0`",
      "const userAgent = `${yield* ServiceName}-Webhooks/2.0`",
    ],
    ["§6-9", '"X-Service-Event": delivery.event', '"X-Service-Event": `event.${delivery.event}`'],
    ["§6-10", '"X-Service-Delivery": delivery.id', '"X-Service-Delivery": delivery.id.slice(4)'],
    ["§6-11", '"X-Service-Timestamp": timestamp,', '"X-Service-Timestamp": `${timestamp}000`,'],
  ]),
  ...inFile("core/rules/Signature.ts", [["§6-12", "Hex.encode(mac)", "Base64.encode(mac)"]]),
  ...inFile("core/usecases/webhooks/ManageDeliveries.ts", [
    [
      "§6-16",
      'event: "design.ordered", data: designData(wire), now, test: true',
      'event: "design.ordered", data: designData(wire), now',
    ],
    ["§6-18", "const event = { id: delivery.eventId,", 'const event = { id: yield* newId("evt_"),'],
  ]),
  ...inFile("core/usecases/dispatch/WorkerOptions.ts", [
    ["§6-19", "attemptTimeout = 5000", "attemptTimeout = 9000"],
    ["§6-19", "connectTimeout = 3000", "connectTimeout = 8000"],
  ]),
  ...inFile("core/rules/RetryPolicy.ts", [["§6-20", "30 * units.m", "3 * units.m"]]),
  ...inFile("core/rules/EndpointState.ts", [["§6-22", "maximumFailures = 20", "maximumFailures = 21"]]),
  ...inFile("core/rules/PublicHost.ts", [
    ["§6-23", "!isIn(address, refusedIpv4)", "!isIn(address, refusedIpv4.slice(1))"],
  ]),
  ...inFile("core/usecases/dispatch/Attempt.ts", [
    [
      "§6-24",
      "const { addresses, destination } = yield* approve(claim)",
      "const addresses = yield* hosts.lookup(new URL(claim.url).hostname)\n      const destination = new URL(claim.url)",
    ],
  ]),
]
