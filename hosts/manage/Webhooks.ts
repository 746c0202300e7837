import { Effect, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { unavailable } from "../../core/api/Errors.ts"
import { parametersOf } from "../../core/api/Parameters.ts"
import type { EndpointInput, EndpointUpdate, RecoveryInput, RotationInput } from "../../core/model/Endpoint.ts"
import type { ResendInput } from "../../core/model/resend/Resend.ts"
import {
  pageOfDeliveries,
  readDelivery,
  recover,
  redeliver,
  sendTestEvent,
} from "../../core/usecases/webhooks/ManageDeliveries.ts"
import {
  createEndpoint,
  deleteEndpoint,
  enableEndpoint,
  listEndpoints,
  pauseEndpoint,
  promoteSecret,
  readEndpoint,
  rotateSecret,
  updateEndpoint,
} from "../../core/usecases/webhooks/ManageEndpoints.ts"
import { readEndpointActivity } from "../../core/usecases/webhooks/ReadEndpointActivity.ts"
import { resend } from "../../core/usecases/webhooks/ResendDeliveries.ts"
import { tryDelivery } from "../../core/usecases/webhooks/TryDelivery.ts"
import { jsonBody, optionalJsonBody } from "./Body.ts"
import { Contract } from "./Contract.ts"
import { planConflict } from "./PlanConflict.ts"

/** The webhook routes of the management API. */
export const webhooks = HttpApiBuilder.group(Contract, "webhooks", (handlers) =>
  handlers
    .handleRaw("createEndpoint", ({ params, request }) =>
      Effect.gen(function* () {
        const { endpoint, secret } = yield* createEndpoint(params.shop, yield* jsonBody<EndpointInput>(request))
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
    .handleRaw("updateEndpoint", ({ params, request }) =>
      Effect.flatMap(jsonBody<EndpointUpdate>(request), (input) =>
        updateEndpoint(params.shop, params.endpoint, input),
      ).pipe(unavailable),
    )
    .handle("deleteEndpoint", ({ params }) => deleteEndpoint(params.shop, params.endpoint).pipe(unavailable))
    .handle("pauseEndpoint", ({ params }) => pauseEndpoint(params.shop, params.endpoint).pipe(unavailable))
    .handle("enableEndpoint", ({ params }) => enableEndpoint(params.shop, params.endpoint).pipe(unavailable))
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
    .handleRaw("listDeliveries", ({ params, request }) =>
      pageOfDeliveries(params.shop, params.endpoint, parametersOf(request.url)).pipe(unavailable),
    )
    .handleRaw("readActivity", ({ params, request }) =>
      readEndpointActivity(params.shop, params.endpoint, parametersOf(request.url)).pipe(unavailable),
    )
    .handle("readDelivery", ({ params }) =>
      readDelivery(params.shop, params.endpoint, params.delivery).pipe(unavailable),
    )
    .handle("redeliver", ({ params }) =>
      redeliver(params.shop, params.endpoint, params.delivery).pipe(planConflict, unavailable),
    )
    .handle("tryDelivery", ({ params }) =>
      tryDelivery(params.shop, params.endpoint, params.delivery).pipe(planConflict, unavailable),
    )
    .handleRaw("resend", ({ params, request }) =>
      Effect.flatMap(jsonBody<ResendInput>(request), (input) => resend(params.shop, params.endpoint, input)).pipe(
        planConflict,
        unavailable,
      ),
    )
    .handleRaw("recover", ({ params, request }) =>
      Effect.flatMap(jsonBody<RecoveryInput>(request), (input) => recover(params.shop, params.endpoint, input)).pipe(
        Effect.map((deliveries) => ({ deliveries })),
        planConflict,
        unavailable,
      ),
    ),
)
