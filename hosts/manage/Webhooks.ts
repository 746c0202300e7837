import { Effect, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { unavailable } from "../../core/api/Errors.ts"
import type { EndpointChange, EndpointInput, RecoveryInput, RotationInput } from "../../core/model/Endpoint.ts"
import {
  listDeliveries,
  readDelivery,
  recover,
  redeliver,
  sendTestEvent,
} from "../../core/usecases/webhooks/ManageDeliveries.ts"
import {
  addEndpoint,
  changeEndpoint,
  listEndpoints,
  promoteSecret,
  readEndpoint,
  removeEndpoint,
  rotateSecret,
  turnOnEndpoint,
} from "../../core/usecases/webhooks/ManageEndpoints.ts"
import { jsonBody, optionalJsonBody } from "./Body.ts"
import { Contract } from "./Contract.ts"
import { planConflict } from "./PlanConflict.ts"

/** The webhook routes of the management API. */
export const webhooks = HttpApiBuilder.group(Contract, "webhooks", (handlers) =>
  handlers
    .handleRaw("addEndpoint", ({ params, request }) =>
      Effect.gen(function* () {
        const { endpoint, secret } = yield* addEndpoint(params.shop, yield* jsonBody<EndpointInput>(request))
        return { ...endpoint, secret: Redacted.value(secret) }
      }).pipe(planConflict, unavailable),
    )
    .handle("listEndpoints", ({ params }) =>
      listEndpoints(params.shop).pipe(
        Effect.map((data) => ({ data })),
        unavailable,
      ),
    )
    .handle("readEndpoint", ({ params }) => readEndpoint(params.shop, params.endpoint).pipe(unavailable))
    .handleRaw("changeEndpoint", ({ params, request }) =>
      Effect.flatMap(jsonBody<EndpointChange>(request), (input) =>
        changeEndpoint(params.shop, params.endpoint, input),
      ).pipe(unavailable),
    )
    .handle("removeEndpoint", ({ params }) => removeEndpoint(params.shop, params.endpoint).pipe(unavailable))
    .handle("turnOn", ({ params }) => turnOnEndpoint(params.shop, params.endpoint).pipe(unavailable))
    .handleRaw("rotateSecret", ({ params, request }) =>
      Effect.gen(function* () {
        const input = yield* optionalJsonBody<RotationInput>(request)
        const { endpoint, secret } = yield* rotateSecret(params.shop, params.endpoint, input)
        return { ...endpoint, secret: Redacted.value(secret) }
      }).pipe(unavailable),
    )
    .handle("promoteSecret", ({ params }) => promoteSecret(params.shop, params.endpoint).pipe(unavailable))
    .handle("sendTestEvent", ({ params }) =>
      sendTestEvent(params.shop, params.endpoint).pipe(planConflict, unavailable),
    )
    .handle("listDeliveries", ({ params }) =>
      listDeliveries(params.shop, params.endpoint).pipe(
        Effect.map((data) => ({ data })),
        unavailable,
      ),
    )
    .handle("readDelivery", ({ params }) =>
      readDelivery(params.shop, params.endpoint, params.delivery).pipe(unavailable),
    )
    .handle("redeliver", ({ params }) =>
      redeliver(params.shop, params.endpoint, params.delivery).pipe(planConflict, unavailable),
    )
    .handleRaw("recover", ({ params, request }) =>
      Effect.flatMap(jsonBody<RecoveryInput>(request), (input) => recover(params.shop, params.endpoint, input)).pipe(
        Effect.map((deliveries) => ({ deliveries })),
        planConflict,
        unavailable,
      ),
    ),
)
