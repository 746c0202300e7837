import { Effect, Layer, Redacted, Schema } from "effect"
import { Digest, Mac } from "effect/crypto"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { addHeaders, unavailable } from "../../core/api/Errors.ts"
import { wire as customizerWire } from "../../core/model/Customizer.ts"
import { NotFound, Unauthorized } from "../../core/model/Errors.ts"
import { reader } from "../../core/model/Input.ts"
import { format } from "../../core/model/Instant.ts"
import type { TokenRecord } from "../../core/model/Token.ts"
import { shopOf } from "../../core/support/ShopOf.ts"
import { cancelOrder } from "../../core/usecases/CancelOrder.ts"
import { listShops, putShop } from "../../core/usecases/ManageShops.ts"
import { createToken, listTokens, revokeToken } from "../../core/usecases/ManageTokens.ts"
import { placeOrder } from "../../core/usecases/PlaceOrder.ts"
import { describeCustomizer, publishCustomizer } from "../../core/usecases/PublishCustomizer.ts"
import { SaveDesign, type SavedDesign } from "../../core/usecases/SaveDesign.ts"
import { jsonBody } from "./Body.ts"
import { Contract, ManageKey } from "./Contract.ts"
import { webhooks } from "./Webhooks.ts"

const json = (text: string, status = 200) => HttpServerResponse.text(text, { status, contentType: "application/json" })

const shops = HttpApiBuilder.group(Contract, "shops", (handlers) =>
  handlers
    .handle("putShop", ({ params, request }) =>
      Effect.flatMap(jsonBody(request), (input) => putShop(params.shop, input)).pipe(unavailable),
    )
    .handle("listShops", () => Effect.map(listShops, (data) => ({ data })).pipe(unavailable))
    .handle("readShop", ({ params }) => shopOf(params.shop).pipe(unavailable)),
)

const decimal = /^[1-9][0-9]{0,15}$/

/** A customizer's id as the path gives it: what is no such number can't be the id of anything. */
const customizerId = (text: string): Effect.Effect<number, NotFound> =>
  decimal.test(text) && Number.isSafeInteger(Number(text))
    ? Effect.succeed(Number(text))
    : Effect.fail(new NotFound({ message: `A customizer's id is a positive integer, not ${JSON.stringify(text)}` }))

/** What is in the definition is for the use case to check. */
const readPublish = reader(Schema.Struct({ definition: Schema.Unknown }))

const customizers = HttpApiBuilder.group(Contract, "customizers", (handlers) =>
  handlers
    .handle("putCustomizer", ({ params, request }) =>
      Effect.gen(function* () {
        const id = yield* customizerId(params.id)
        return json(customizerWire(yield* describeCustomizer(params.shop, id, yield* jsonBody(request))))
      }).pipe(unavailable),
    )
    .handle("publish", ({ params, request }) =>
      Effect.gen(function* () {
        const id = yield* customizerId(params.id)
        const { definition } = yield* Effect.fromResult(readPublish(yield* jsonBody(request)))
        return json(customizerWire(yield* publishCustomizer(params.shop, id, definition)))
      }).pipe(unavailable),
    ),
)

const saved = ({ created, design }: SavedDesign) => json(design.wire, created ? 201 : 200)

const designs = HttpApiBuilder.group(Contract, "designs", (handlers) =>
  Effect.gen(function* () {
    const { save } = yield* SaveDesign
    return handlers
      .handle("putDesign", ({ params, request }) =>
        Effect.flatMap(jsonBody(request), (input) => save(params.shop, params.id, input)).pipe(
          Effect.map(saved),
          unavailable,
        ),
      )
      .handle("addDesign", ({ params, request }) =>
        Effect.flatMap(jsonBody(request), (input) => save(params.shop, undefined, input)).pipe(
          Effect.map(saved),
          unavailable,
        ),
      )
  }),
)

const orders = HttpApiBuilder.group(Contract, "orders", (handlers) =>
  handlers
    .handle("putOrder", ({ params, request }) =>
      Effect.flatMap(jsonBody(request), (input) => placeOrder(params.shop, params.id, input)).pipe(
        Effect.map((wire) => json(wire)),
        unavailable,
      ),
    )
    .handle("cancelOrder", ({ params }) =>
      cancelOrder(params.shop, params.id).pipe(
        Effect.map((wire) => json(wire)),
        unavailable,
      ),
    ),
)

const tokenView = (token: TokenRecord) => ({
  id: token.id,
  name: token.name,
  hint: token.hint,
  createdAt: format(token.createdAt),
  lastUsedAt: token.lastUsedAt === null ? null : format(token.lastUsedAt),
})

const tokens = HttpApiBuilder.group(Contract, "tokens", (handlers) =>
  handlers
    .handle("createToken", ({ params, request }) =>
      Effect.gen(function* () {
        const { record, token } = yield* createToken(params.shop, yield* jsonBody(request))
        return {
          id: record.id,
          name: record.name,
          token: Redacted.value(token),
          createdAt: format(record.createdAt),
        }
      }).pipe(unavailable),
    )
    .handle("listTokens", ({ params }) =>
      listTokens(params.shop).pipe(
        Effect.map((records) => ({ data: records.map(tokenView) })),
        unavailable,
      ),
    )
    .handle("revokeToken", ({ params }) => revokeToken(params.shop, params.id).pipe(unavailable)),
)

const utf8 = new TextEncoder()

/** Lets in who brings the manage key, compared in constant time. */
const manageKey = (key: Redacted.Redacted<string>) =>
  Layer.effect(
    ManageKey,
    Effect.gen(function* () {
      const digest = yield* Digest.Digest
      const sha256 = (text: string) => digest.digest(Digest.sha256, utf8.encode(text))
      const expected = yield* sha256(Redacted.value(key))
      return {
        manageKey: Effect.fnUntraced(function* (answer, { credential }) {
          // Answers hold secrets at times; none of them is for a cache.
          yield* addHeaders({ "cache-control": "no-store" })
          if (!Mac.timingSafeEqual(yield* sha256(Redacted.value(credential)), expected)) {
            yield* addHeaders({ "www-authenticate": "Bearer" })
            return yield* new Unauthorized({ message: "The manage key is needed: Authorization: Bearer …" })
          }
          return yield* answer
        }),
      }
    }),
  )

/** The management API under `/manage/v1`. */
export const layer = (key: Redacted.Redacted<string>) =>
  HttpApiBuilder.layer(Contract).pipe(
    Layer.provide([shops, customizers, designs, orders, tokens, webhooks]),
    Layer.provide(manageKey(key)),
  )
