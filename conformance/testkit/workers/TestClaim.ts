import { usualOptions } from "../../../core/model/webhooks/EndpointOptions.ts"
import type { Claim } from "../../../core/ports/DeliveryQueue.ts"

/** A claim with these fields, for tests that do not send it. */
export const testClaim = (fields: Partial<Claim>): Claim => ({
  token: "token",
  shop: "shop",
  deliveryId: "dlv_1",
  endpointId: "whe_1",
  eventId: "evt_1",
  event: "design.ordered",
  test: false,
  attempt: 1,
  proven: true,
  troubled: false,
  body: "{}",
  trace: null,
  url: "https://hooks.example.com/",
  standardWebhooks: false,
  options: usualOptions,
  startsAt: null,
  secret: "sealed",
  rotation: null,
  ...fields,
})
