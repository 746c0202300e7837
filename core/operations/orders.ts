import { Effect, Schema, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiEndpoint, HttpApiSchema, OpenApi } from "effect/http-api"
import { KeptCancellation, Order, OrderInput } from "../model/orders/Order.ts"
import { LinesOfOrder } from "../model/orders/OrderLine.ts"
import { OrderPage } from "../model/Page.ts"
import type { OrdersInput } from "../model/queries/Inputs.ts"
import { exportQuery, ordersQuery } from "../model/queries/Queries.ts"
import { WireForm } from "../model/WireForm.ts"
import { exportShop } from "../usecases/bulk/ExportShop.ts"
import { cancelLine } from "../usecases/orders/CancelLine.ts"
import { cancelOrder } from "../usecases/orders/CancelOrder.ts"
import { placeOrder } from "../usecases/orders/PlaceOrder.ts"
import { listLines } from "../usecases/orders/ReadLines.ts"
import { listOrders, readOrder } from "../usecases/orders/ReadOrders.ts"
import { redactOrder } from "../usecases/orders/RedactOrder.ts"
import { withdrawCancellation } from "../usecases/orders/WithdrawCancellation.ts"
import { getShop } from "../usecases/shops/ManageShops.ts"
import * as Errors from "./Errors.ts"
import { asStored, functionOnly, nothing, operation } from "./Operation.ts"
import { describe, inputErrors, readErrors, segment, shop } from "./Parts.ts"

const order = {
  ...shop,
  id: segment("The platform's id of the order: any 1 to 255 characters, none of them a control character"),
}

export const orders = {
  id: "orders",
  comment: "Orders of the shop's platform. An order freezes its designs.",
  title: "Orders",
  description: "Orders of the e-commerce platform.",
  operations: {
    place: operation(
      HttpApiEndpoint.put("putOrder", "/shops/:shop/orders/:id", {
        params: order,
        payload: OrderInput.annotate({ identifier: "OrderInput" }),
        // Without lines no order is stored, and the answer has no body.
        success: [Order, HttpApiSchema.NoContent.annotate({ description: "No order was stored, for lack of lines" })],
        error: [...inputErrors, Errors.Conflict],
      }).annotateMerge(
        describe(
          "Place an order",
          "Orders the designs that its lines name: they are frozen, and `design.ordered` is sent for each.",
          "May be repeated: the same content changes nothing, more designs are added, and a line that is left out stays.",
          "A line has at most one design: a second one is 422, in the same request or later.",
          "Any other difference from the stored order, a design of another order, and a design in another currency are",
          "409, name the field and both values (`conflict`), and change nothing. With `lines: []` no order is stored, and " +
            "the answer is 204.",
        ),
      ),
      {
        input: "body",
        call: placeOrder,
        answer: (placed) => (placed === undefined ? nothing : asStored(placed)),
        method: "changes",
        comment:
          "Places an order of the platform: its designs become ordered and are frozen, and each produces a " +
          "`design.ordered` event, all of it or nothing. `id`: the platform's.\n\n" +
          "Call it every time the platform reports the order: the same content changes nothing, new lines are linked, " +
          "and lines left out stay linked. Returns the current order; if `lines` is empty, stores nothing and returns " +
          "`undefined`.\n\n" +
          "Fails with `NotFound` without the shop or a design, `InvalidInput`, `Refused` for a design named twice " +
          "or a second design for a line, `TooLarge` for more than 32 MiB of designs, `Conflict` if a design belongs " +
          "to another order, is cancelled or is priced in another currency, or if the order was placed with another " +
          "name, time or line item: its `conflict` has the field and both values.",
      },
    ),
    cancel: operation(
      HttpApiEndpoint.post("cancelOrder", "/shops/:shop/orders/:id/cancel", {
        params: order,
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
      {
        call: cancelOrder,
        answer: (result) => (result instanceof WireForm ? asStored(result) : (result ?? nothing)),
        method: "changes",
        comment:
          "Cancels an order and its designs, with an `order.cancelled` event. Cancelling twice changes nothing.\n\n" +
          "Returns `undefined` for an order that came without custom items in the last 24 hours. If the shop has no " +
          "such order otherwise, because it has not come yet, the cancellation is kept for 24 hours: an order that is " +
          "placed in that time is cancelled in the same change. The result then has `keptUntil` instead of a " +
          "`status`. Fails with `NotFound` without the shop, or for an id that no order can have.",
      },
    ),
    cancelLine: operation(
      HttpApiEndpoint.post("cancelOrderLine", "/shops/:shop/orders/:id/lines/:lineItemId/cancel", {
        params: { ...order, lineItemId: segment("The platform's id of the line") },
        success: Order,
        error: [...readErrors, Errors.Conflict],
      }).annotateMerge(
        describe(
          "Cancel a line of an order",
          "Cancels the design of a line, and sends `design.cancelled`. The order holds while it has another design that is",
          "ordered; with the last one it is cancelled, and `order.cancelled` is sent instead. If the design is on other",
          "lines, too, it stays, and the line has no pieces from then on. Cancelling it again changes nothing.",
        ),
      ),
      {
        call: cancelLine,
        answer: (stored) => asStored(stored),
        method: "changes",
        comment:
          "Cancels a line of an order: its design is cancelled, with a `design.cancelled` event, and the order holds " +
          "while it has another ordered design. With the last one the whole order is cancelled. A design that is on " +
          "other lines, too, stays, and this line has no pieces from then on. Cancelling twice changes nothing.\n\n" +
          "Fails with `NotFound` without the shop, the order or a line of it with a design.",
      },
    ),
    lines: operation(
      HttpApiEndpoint.get("listOrderLines", "/shops/:shop/orders/:id/lines", {
        params: order,
        success: LinesOfOrder,
        error: readErrors,
      }).annotateMerge(
        describe(
          "Read the lines of an order",
          "The order's lines that have a design, each with its quantity, in the order of the designs, then as reported.",
        ),
      ),
      {
        call: listLines,
        answer: (data) => ({ data }),
        method: "reads",
        comment:
          "The order's lines that have a design, each with its quantity: how many pieces of the design must be made. " +
          "A line that the platform has removed has the quantity 0, a cancelled one keeps its own. Fails with `NotFound`.",
      },
    ),
    withdrawCancellation: operation(
      HttpApiEndpoint.delete("withdrawCancellation", "/shops/:shop/orders/:id/cancel", {
        params: order,
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
      {
        gives: Schema.Boolean,
        call: withdrawCancellation,
        answer: () => undefined,
        method: "changes",
        comment:
          "Takes back the kept cancellation of an order that has not come yet, one by {@link cancel} or by the shop's " +
          "platform: the order is placed and not cancelled when it comes. Taking it back again changes nothing.\n\n" +
          "Returns whether there was one. Fails with `NotFound` without the shop, or for an id that no order can " +
          "have, and with `Conflict` if the order has come and was cancelled, which is final.",
      },
    ),
    redact: operation(
      HttpApiEndpoint.post("redactOrder", "/shops/:shop/orders/:id/redact", {
        params: order,
        success: Order,
        error: [...readErrors, Errors.Conflict],
      }).annotateMerge(
        describe(
          "Redact an order",
          "Replaces buyers' texts and uploads by `[redacted]`, in the order's designs and in their stored events.",
          "Codes and prices stay, tags change, nothing is sent, and it can't be undone.",
        ),
      ),
      {
        call: redactOrder,
        answer: (stored) => asStored(stored),
        method: "changes",
        comment:
          "Replaces texts and uploads of buyers in the order's designs, and in kept events that contain them, with " +
          "`[redacted]`. Codes and prices stay, and nothing is sent. This can't be undone. Fails with `NotFound`.",
      },
    ),
    get: functionOnly({
      ids: { shop: { type: "string" }, id: { type: "string" } },
      gives: Order,
      call: readOrder,
      method: "reads",
      comment: "Fails with `NotFound`.",
    }),
    list: functionOnly({
      ids: { shop: { type: "string" } },
      input: "query",
      query: ordersQuery,
      // The REST API gets the shop from the token. Here it may be any text: a wrong one is not an empty page.
      gives: OrderPage,
      call: (shop: string, query?: OrdersInput) =>
        Effect.andThen(
          getShop(shop),
          Effect.map(listOrders(shop, query), ({ page }) => page),
        ),
      method: "reads",
      comment:
        "A page of the shop's orders, newest first; its `nextCursor` leads to the next page. Fails with `NotFound` " +
        "without the shop, `InvalidInput`.",
    }),
  },
} as const

/** The types of an export, by its format. */
const exportTypes = { jsonl: "application/jsonl", csv: "text/csv" } as const

const text = { schema: { type: "string" } }

export const exported = {
  id: "export",
  title: "Export",
  description: "The content of a shop, as a file.",
  operations: {
    shop: operation(
      HttpApiEndpoint.get("exportShop", "/shops/:shop/export", {
        params: shop,
        success: Schema.String,
        error: [Errors.InvalidInput, ...readErrors],
      })
        .annotateMerge(
          describe(
            "Export orders or designs or lines of orders",
            "All orders of a shop, newest first, with their designs or with the quantities of their lines, or all its",
            "designs, by id, as one answer that is sent while it is read. An answer that ends with its connection broken off",
            "is not whole. With `csv` there is a column for each production key of the shop's customizers, and a text that a " +
              "spreadsheet would run as a formula has an apostrophe in front.",
          ),
        )
        .annotate(OpenApi.Transform, (operation) => ({
          ...operation,
          responses: {
            ...(operation["responses"] as object),
            "200": {
              description: "The lines of the export",
              content: Object.fromEntries(Object.values(exportTypes).map((type) => [type, text])),
            },
          },
        })),
      {
        input: "query",
        query: exportQuery,
        call: exportShop,
        answer: ({ format, lines }) =>
          HttpServerResponse.stream(Stream.encodeText(lines), { contentType: `${exportTypes[format]}; charset=utf-8` }),
      },
    ),
  },
} as const
