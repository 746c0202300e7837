import { Effect, Redacted } from "effect"
import { isPlainObject } from "../../core/model/Json.ts"
import { unknownField } from "../../core/model/Nearest.ts"
import type { Definition } from "../../core/model/Resources.ts"
import { WireForm } from "../../core/model/WireForm.ts"
import { publishCustomizer } from "../../core/usecases/customizers/PublishCustomizer.ts"
import { putCustomizer } from "../../core/usecases/customizers/PutCustomizer.ts"
import { readCustomizer } from "../../core/usecases/customizers/ReadCustomizer.ts"
import { deleteDesign } from "../../core/usecases/designs/DeleteDesign.ts"
import { readDesign } from "../../core/usecases/designs/ReadDesign.ts"
import { redactDesign } from "../../core/usecases/designs/RedactDesign.ts"
import { saveDesign } from "../../core/usecases/designs/SaveDesign.ts"
import { tryEvent } from "../../core/usecases/ingest/ApplyEvent.ts"
import { listInbox, readInboxEvent } from "../../core/usecases/ingest/ReadInbox.ts"
import { deleteShop, getShop, listShops, putShop } from "../../core/usecases/ManageShops.ts"
import { cancelOrder } from "../../core/usecases/orders/CancelOrder.ts"
import { placeOrder } from "../../core/usecases/orders/PlaceOrder.ts"
import { listOrders, readOrder } from "../../core/usecases/orders/ReadOrders.ts"
import { redactOrder } from "../../core/usecases/orders/RedactOrder.ts"
import { withdrawCancellation } from "../../core/usecases/orders/WithdrawCancellation.ts"
import { listAudit } from "../../core/usecases/ReadAudit.ts"
import { listEvents } from "../../core/usecases/ReadEvents.ts"
import { createSettingsLink } from "../../core/usecases/settings/SettingsLinks.ts"
import { createToken, deleteToken, listTokens } from "../../core/usecases/tokens/ManageTokens.ts"
import * as Deliveries from "../../core/usecases/webhooks/ManageDeliveries.ts"
import * as Endpoints from "../../core/usecases/webhooks/ManageEndpoints.ts"
import { readEndpointActivity } from "../../core/usecases/webhooks/ReadEndpointActivity.ts"
import { resend } from "../../core/usecases/webhooks/ResendDeliveries.ts"
import { tryDelivery } from "../../core/usecases/webhooks/TryDelivery.ts"
import type { Designwire } from "./Designwire.ts"
import { invalidArgument } from "./Failures.ts"
import type * as Management from "./Management.ts"
import { type Methods, makeMethods } from "./Methods.ts"
import type { Runtime } from "./Runtime.ts"

/** The use cases of the core as methods that return promises. */
type Facade = Pick<
  Designwire,
  "shops" | "customizers" | "designs" | "orders" | "inbox" | "events" | "tokens" | "webhooks" | "audit" | "settings"
>

export const makeFacade = (runtime: Runtime): Facade => {
  const methods = makeMethods(runtime)
  const { changing, reading } = methods
  return {
    shops: {
      put: changing((shop: string, input: Management.ShopInput) => putShop(shop, withoutUndefined(input))),
      get: reading((shop: string) => getShop(shop)),
      list: reading(() => listShops),
      delete: changing((shop: string) => deleteShop(shop)),
    },
    customizers: {
      put: changing((shop: string, id: number, input: Management.CustomizerInput) =>
        object(putCustomizer(shop, id, input)),
      ),
      publish: changing((shop: string, id: number, input: { readonly definition: Definition }) =>
        object(publishCustomizer(shop, id, input)),
      ),
      get: reading((shop: string, id: number) => object(readCustomizer(shop, id))),
    },
    designs: {
      save: changing((shop: string, id: string | undefined, input: Management.DesignInput) =>
        Effect.map(saveDesign(shop, id, withoutUndefined(input)), ({ design }) => design.value),
      ),
      get: reading((shop: string, id: string) => object(readDesign(shop, id))),
      redact: changing((shop: string, id: string) => object(redactDesign(shop, id))),
      delete: changing((shop: string, id: string) => deleteDesign(shop, id)),
    },
    orders: {
      place: changing((shop: string, id: string, input: Management.OrderInput) =>
        Effect.map(placeOrder(shop, id, input), (order) => order?.value),
      ),
      redact: changing((shop: string, id: string) => object(redactOrder(shop, id))),
      cancel: changing((shop: string, id: string) =>
        Effect.map(cancelOrder(shop, id), (result) => (result instanceof WireForm ? result.value : result)),
      ),
      withdrawCancellation: changing((shop: string, id: string) => withdrawCancellation(shop, id)),
      get: reading((shop: string, id: string) => object(readOrder(shop, id))),
      list: reading((shop: string, query?: Management.OrdersQuery) =>
        // The REST API gets the shop from the token. Here it may be any text: a wrong one is not an empty page.
        Effect.andThen(
          Effect.andThen(onlyKnown(query, ["limit", "cursor", "orderedAfter"]), getShop(shop)),
          Effect.map(listOrders(shop, query), ({ page }) => page.value),
        ),
      ),
    },
    inbox: {
      list: reading((shop: string, query?: Management.InboxQuery) =>
        Effect.andThen(onlyKnown(query, ["state", "limit", "after"]), listInbox(shop, withoutUndefined(query ?? {}))),
      ),
      get: reading((shop: string, id: string) => readInboxEvent(shop, id)),
      apply: changing((shop: string, id: string) => tryEvent(shop, id)),
    },
    events: {
      list: reading((shop: string, query?: Management.EventsQuery) =>
        Effect.andThen(
          Effect.andThen(onlyKnown(query, ["after", "limit", "types"]), getShop(shop)),
          Effect.map(listEvents(shop, query), ({ page }) => page.value),
        ),
      ),
    },
    tokens: {
      create: changing((shop: string, input: Management.TokenInput) =>
        Effect.map(createToken(shop, withoutUndefined(input)), ({ text, token }) => ({
          ...token,
          token: Redacted.value(text),
        })),
      ),
      list: reading((shop: string) => listTokens(shop)),
      delete: changing((shop: string, id: string) => deleteToken(shop, id)),
    },
    webhooks: webhooksOf(methods),
    audit: {
      list: reading((shop: string, query?: Management.AuditQuery) =>
        Effect.andThen(
          onlyKnown(query, ["limit", "after", "subject", "from", "to"]),
          listAudit(shop, withoutUndefined(query ?? {})),
        ),
      ),
    },
    settings: {
      link: reading((shop: string, input: Management.SettingsLinkInput) =>
        createSettingsLink(shop, withoutUndefined(input)),
      ),
    },
  }
}

const webhooksOf = ({ changing, reading }: Methods): Facade["webhooks"] => ({
  create: changing((shop: string, input: Management.EndpointInput) =>
    Effect.map(Endpoints.createEndpoint(shop, withoutUndefined(input)), ({ endpoint, secret }) => ({
      ...endpoint,
      secret: Redacted.value(secret),
    })),
  ),
  list: reading((shop: string) => Endpoints.listEndpoints(shop)),
  get: reading((shop: string, endpoint: string) => Endpoints.readEndpoint(shop, endpoint)),
  update: changing((shop: string, endpoint: string, input: Management.EndpointUpdate) =>
    Endpoints.updateEndpoint(shop, endpoint, withoutUndefined(input)),
  ),
  delete: changing((shop: string, endpoint: string) => Endpoints.deleteEndpoint(shop, endpoint)),
  pause: changing((shop: string, endpoint: string) => Endpoints.pauseEndpoint(shop, endpoint)),
  enable: changing((shop: string, endpoint: string) => Endpoints.enableEndpoint(shop, endpoint)),
  rotate: changing((shop: string, endpoint: string, input?: Management.RotationInput) =>
    Effect.map(Endpoints.rotateSecret(shop, endpoint, withoutUndefined(input)), ({ endpoint: rotated, secret }) => ({
      ...rotated,
      secret: Redacted.value(secret),
    })),
  ),
  promote: changing((shop: string, endpoint: string) => Endpoints.promoteSecret(shop, endpoint)),
  test: changing((shop: string, endpoint: string) => Deliveries.sendTestEvent(shop, endpoint)),
  recover: changing((shop: string, endpoint: string, input: { readonly since: string }) =>
    Effect.map(Deliveries.recover(shop, endpoint, input), (deliveries) => ({ deliveries })),
  ),
  activity: reading((shop: string, endpoint: string, input: Parameters<Facade["webhooks"]["activity"]>[2] = {}) =>
    readEndpointActivity(shop, endpoint, withoutUndefined(input)),
  ),
  deliveries: reading((shop: string, endpoint: string) => Deliveries.listDeliveries(shop, endpoint)),
  delivery: reading((shop: string, endpoint: string, id: string) => Deliveries.readDelivery(shop, endpoint, id)),
  redeliver: changing((shop: string, endpoint: string, id: string) => Deliveries.redeliver(shop, endpoint, id)),
  tryNow: changing((shop: string, endpoint: string, id: string) => tryDelivery(shop, endpoint, id)),
  resend: changing((shop: string, endpoint: string, input: Management.ResendInput) =>
    resend(shop, endpoint, withoutUndefined(input)),
  ),
})

/** Refuses a query with unknown fields. The REST API ignores unknown parameters (D12), and shares the reader. */
const onlyKnown = <Query extends object>(query: Query | undefined, names: ReadonlyArray<keyof Query & string>) => {
  const unknown = Object.keys(query ?? {}).find((name) => !names.some((known) => known === name))
  return unknown === undefined ? Effect.void : invalidArgument(unknown, unknownField(unknown, names))
}

const object = <A, E, R>(wire: Effect.Effect<WireForm<A>, E, R>): Effect.Effect<A, E, R> =>
  Effect.map(wire, ({ value }) => value)

/** Leaves out fields that are `undefined`, as JSON does: the core would take `undefined` for a value. */
const withoutUndefined = <A>(input: A): { readonly [K in keyof A]: Exclude<A[K], undefined> } =>
  (isPlainObject(input)
    ? Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
    : input) as { readonly [K in keyof A]: Exclude<A[K], undefined> }
