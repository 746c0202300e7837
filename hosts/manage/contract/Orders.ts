import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Errors from "../../../core/api/Errors.ts"
import { KeptCancellation, Order, OrderInput } from "../../../core/model/Order.ts"
import { describe, inputErrors, readErrors, segment, shop } from "./Common.ts"

const params = {
  ...shop,
  id: segment("The platform's id of the order: any 1 to 255 characters, none of them a control character"),
}

/** Orders of the platform. */
export const orders = HttpApiGroup.make("orders")
  .add(
    HttpApiEndpoint.put("putOrder", "/shops/:shop/orders/:id", {
      params,
      payload: OrderInput.annotate({ identifier: "OrderInput" }),
      // Without lines no order is stored, and the answer has no body.
      success: [Order, HttpApiSchema.NoContent.annotate({ description: "No order was stored, for lack of lines" })],
      error: [...inputErrors, Errors.Conflict],
    }).annotateMerge(
      describe(
        "Place an order",
        "Orders the designs that its lines name: they are frozen, and `design.ordered` is sent for each.",
        "May be repeated: the same content changes nothing, more designs are added, and a line that is left out stays.",
        "A line has at most one design: two on one line are 422.",
        "Any other difference from the stored order, a design of another order, and a design in another currency are",
        "409 and change nothing. With `lines: []` no order is stored, and the answer is 204.",
      ),
    ),
  )
  .add(
    HttpApiEndpoint.post("cancelOrder", "/shops/:shop/orders/:id/cancel", {
      params,
      success: [
        Order,
        KeptCancellation.annotate({
          description: "The shop has no such order yet: the cancellation is kept until `keptUntil`",
        }).pipe(HttpApiSchema.status(202)),
        HttpApiSchema.NoContent.annotate({
          description: "The order came without custom items: there is nothing to cancel",
        }),
      ],
      error: [...readErrors, Errors.Conflict],
    }).annotateMerge(
      describe(
        "Cancel an order",
        "Cancels the order and its designs, and sends `order.cancelled`. Cancelling it again changes and sends nothing.",
        "If the order came without custom items in the last 24 hours, the answer is 204. Platforms may also send a",
        "cancellation before its order. If the shop has no such order, the answer is 202: the cancellation is kept for 24",
        "hours. If the order is placed in that time, it is cancelled in the same change, and `order.cancelled` follows its",
        "`design.ordered`.",
      ),
    ),
  )
  .add(
    HttpApiEndpoint.delete("withdrawCancellation", "/shops/:shop/orders/:id/cancel", {
      params,
      success: HttpApiSchema.NoContent.annotate({
        description: "No cancellation of the order is kept: it was taken back, or there was none",
      }),
      error: [...readErrors, Errors.Conflict],
    }).annotateMerge(
      describe(
        "Take back a kept cancellation",
        "Takes back the cancellation of an order that the shop does not have yet, of a caller or of the shop's platform:",
        "if the order is placed, it is not cancelled. Taking it back again changes nothing. If the order was placed and",
        "cancelled, the answer is 409: that is final.",
      ),
    ),
  )
  .add(
    HttpApiEndpoint.post("redactOrder", "/shops/:shop/orders/:id/redact", {
      params,
      success: Order,
      error: [...readErrors, Errors.Conflict],
    }).annotateMerge(
      describe(
        "Redact an order",
        "Replaces buyers' texts and uploads by `[redacted]`, in the order's designs and in their stored events.",
        "Codes and prices stay, tags change, nothing is sent, and it can't be undone.",
      ),
    ),
  )
  .annotateMerge(OpenApi.annotations({ title: "Orders", description: "Orders of the e-commerce platform." }))
