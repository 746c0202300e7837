import { Effect, Layer, Redacted, Stream } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { unavailable } from "../../core/api/Errors.ts"
import { parametersOf } from "../../core/api/Parameters.ts"
import type { CustomizerInput } from "../../core/model/Customizer.ts"
import type { PublishInput } from "../../core/model/Definition.ts"
import type { DesignInput } from "../../core/model/Design.ts"
import { NotFound } from "../../core/model/Errors.ts"
import { customizerIdOf } from "../../core/model/Ids.ts"
import type { KeptCancellation, OrderInput } from "../../core/model/Order.ts"
import type { ShopInput } from "../../core/model/Shop.ts"
import type { SettingsLinkInput } from "../../core/model/settings/SettingsLink.ts"
import type { TokenInput } from "../../core/model/Token.ts"
import { WireForm } from "../../core/model/WireForm.ts"
import { exportShop } from "../../core/usecases/bulk/ExportShop.ts"
import { publishCustomizer } from "../../core/usecases/customizers/PublishCustomizer.ts"
import { putCustomizer } from "../../core/usecases/customizers/PutCustomizer.ts"
import { deleteDesign } from "../../core/usecases/designs/DeleteDesign.ts"
import { redactDesign } from "../../core/usecases/designs/RedactDesign.ts"
import { saveDesign } from "../../core/usecases/designs/SaveDesign.ts"
import { tryEvent } from "../../core/usecases/ingest/ApplyEvent.ts"
import { listInbox, readInboxEvent } from "../../core/usecases/ingest/ReadInbox.ts"
import { deleteShop, getShop, putShop } from "../../core/usecases/ManageShops.ts"
import { cancelOrder } from "../../core/usecases/orders/CancelOrder.ts"
import { placeOrder } from "../../core/usecases/orders/PlaceOrder.ts"
import { redactOrder } from "../../core/usecases/orders/RedactOrder.ts"
import { withdrawCancellation } from "../../core/usecases/orders/WithdrawCancellation.ts"
import { listAudit } from "../../core/usecases/ReadAudit.ts"
import { pageOfShops } from "../../core/usecases/SearchShops.ts"
import { createSettingsLink } from "../../core/usecases/settings/SettingsLinks.ts"
import { createToken, deleteToken, listTokens } from "../../core/usecases/tokens/ManageTokens.ts"
import { jsonBody } from "./Body.ts"
import { Contract } from "./Contract.ts"
import { exportTypes } from "./contract/Export.ts"
import { layer as layerIdempotencyKey } from "./IdempotencyKey.ts"
import { type KeyCheck, layer as layerKey } from "./ManageKey.ts"
import { planConflict } from "./PlanConflict.ts"
import { webhooks } from "./Webhooks.ts"

const json = ({ text }: WireForm<unknown>, status = 200) =>
  HttpServerResponse.text(text, { status, contentType: "application/json" })

const accepted = (result: KeptCancellation) =>
  HttpServerResponse.text(JSON.stringify(result), { status: 202, contentType: "application/json" })

/** The answer about an order that came without custom items. */
const noOrder = HttpServerResponse.empty({ status: 204 })

const shops = HttpApiBuilder.group(Contract, "shops", (handlers) =>
  handlers
    .handleRaw("putShop", ({ params, request }) =>
      Effect.flatMap(jsonBody<ShopInput>(request), (input) => putShop(params.shop, input)).pipe(unavailable),
    )
    .handleRaw("listShops", ({ request }) => pageOfShops(parametersOf(request.url)).pipe(unavailable))
    .handle("readShop", ({ params }) => getShop(params.shop).pipe(unavailable))
    .handle("deleteShop", ({ params }) => deleteShop(params.shop).pipe(unavailable)),
)

const customizerId = (text: string): Effect.Effect<number, NotFound> => {
  const id = customizerIdOf(text)
  return id === undefined
    ? Effect.fail(new NotFound({ message: `A customizer's id is a positive integer, not ${JSON.stringify(text)}` }))
    : Effect.succeed(id)
}

const customizers = HttpApiBuilder.group(Contract, "customizers", (handlers) =>
  handlers
    .handleRaw("putCustomizer", ({ params, request }) =>
      Effect.gen(function* () {
        const id = yield* customizerId(params.id)
        return json(yield* putCustomizer(params.shop, id, yield* jsonBody<CustomizerInput>(request)))
      }).pipe(unavailable),
    )
    .handleRaw("publish", ({ params, request }) =>
      Effect.gen(function* () {
        const id = yield* customizerId(params.id)
        return json(yield* publishCustomizer(params.shop, id, yield* jsonBody<PublishInput>(request)))
      }).pipe(unavailable),
    ),
)

const save = (request: HttpServerRequest.HttpServerRequest, shop: string, id: string | undefined) =>
  Effect.flatMap(jsonBody<DesignInput>(request), (input) => saveDesign(shop, id, input)).pipe(
    Effect.map(({ created, design }) => json(design, created ? 201 : 200)),
    unavailable,
  )

const designs = HttpApiBuilder.group(Contract, "designs", (handlers) =>
  handlers
    .handleRaw("putDesign", ({ params, request }) => save(request, params.shop, params.id))
    .handleRaw("createDesign", ({ params, request }) => save(request, params.shop, undefined))
    .handle("deleteDesign", ({ params }) => deleteDesign(params.shop, params.id).pipe(unavailable))
    .handle("redactDesign", ({ params }) =>
      redactDesign(params.shop, params.id).pipe(
        Effect.map((design) => json(design)),
        unavailable,
      ),
    ),
)

const orders = HttpApiBuilder.group(Contract, "orders", (handlers) =>
  handlers
    .handleRaw("putOrder", ({ params, request }) =>
      Effect.flatMap(jsonBody<OrderInput>(request), (input) => placeOrder(params.shop, params.id, input)).pipe(
        Effect.map((order) => (order === undefined ? noOrder : json(order))),
        unavailable,
      ),
    )
    .handle("cancelOrder", ({ params }) =>
      cancelOrder(params.shop, params.id).pipe(
        Effect.map((result) =>
          result === undefined ? noOrder : result instanceof WireForm ? json(result) : accepted(result),
        ),
        unavailable,
      ),
    )
    .handle("withdrawCancellation", ({ params }) =>
      unavailable(Effect.asVoid(withdrawCancellation(params.shop, params.id))),
    )
    .handle("redactOrder", ({ params }) =>
      redactOrder(params.shop, params.id).pipe(
        Effect.map((order) => json(order)),
        unavailable,
      ),
    ),
)

const exported = HttpApiBuilder.group(Contract, "export", (handlers) =>
  handlers.handleRaw("exportShop", ({ params, request }) =>
    exportShop(params.shop, parametersOf(request.url)).pipe(
      Effect.map(({ format, lines }) =>
        HttpServerResponse.stream(Stream.encodeText(lines), { contentType: `${exportTypes[format]}; charset=utf-8` }),
      ),
      unavailable,
    ),
  ),
)

const inbox = HttpApiBuilder.group(Contract, "inbox", (handlers) =>
  handlers
    .handleRaw("listInbox", ({ params, request }) =>
      listInbox(params.shop, parametersOf(request.url)).pipe(unavailable),
    )
    .handle("readInboxEvent", ({ params }) => readInboxEvent(params.shop, params.id).pipe(unavailable))
    .handle("applyInboxEvent", ({ params }) => tryEvent(params.shop, params.id).pipe(unavailable)),
)

const tokens = HttpApiBuilder.group(Contract, "tokens", (handlers) =>
  handlers
    .handleRaw("createToken", ({ params, request }) =>
      Effect.gen(function* () {
        const { text, token } = yield* createToken(params.shop, yield* jsonBody<TokenInput>(request))
        const { createdAt, expiresAt, id, name, scopes } = token
        return { id, name, token: Redacted.value(text), createdAt, expiresAt, scopes }
      }).pipe(planConflict, unavailable),
    )
    .handle("listTokens", ({ params }) =>
      listTokens(params.shop).pipe(
        Effect.map((data) => ({ data })),
        unavailable,
      ),
    )
    .handle("deleteToken", ({ params }) => deleteToken(params.shop, params.id).pipe(unavailable)),
)

const audit = HttpApiBuilder.group(Contract, "audit", (handlers) =>
  handlers.handleRaw("listAudit", ({ params, request }) =>
    listAudit(params.shop, parametersOf(request.url)).pipe(unavailable),
  ),
)

const settings = HttpApiBuilder.group(Contract, "settings", (handlers) =>
  handlers.handleRaw("createSettingsLink", ({ params, request }) =>
    Effect.flatMap(jsonBody<SettingsLinkInput>(request), (input) => createSettingsLink(params.shop, input)).pipe(
      unavailable,
    ),
  ),
)

/** The management API under `/manage/v1`, for callers that pass the check of the key. */
export const layer = (check: KeyCheck) =>
  HttpApiBuilder.layer(Contract).pipe(
    Layer.provide([shops, customizers, designs, orders, exported, inbox, tokens, webhooks, audit, settings]),
    Layer.provide([layerIdempotencyKey, layerKey(check)]),
  )
