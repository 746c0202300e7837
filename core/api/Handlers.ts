import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { toResponse } from "./Answer.ts"
import { CurrentCaller } from "./Authorization.ts"
import type { ContractAt } from "./Contract.ts"
import { type ReadName, read } from "./Reads.ts"

/** The handlers of the REST API for Effect's router. */
export const layer = (contract: ContractAt) =>
  HttpApiBuilder.group(contract, "resources", (handlers) =>
    handlers
      .handle("listOrders", ({ request }) => respond("listOrders", request))
      .handle("listEvents", ({ request }) => respond("listEvents", request))
      .handle("readOrder", ({ params, request }) => respond("readOrder", request, params.platformOrderId))
      .handle("readDesign", ({ params, request }) => respond("readDesign", request, params.id))
      .handle("readCustomizer", ({ params, request }) => respond("readCustomizer", request, params.id)),
  )

const respond = (name: ReadName, request: HttpServerRequest.HttpServerRequest, id?: string) =>
  CurrentCaller.use((caller) => Effect.map(Effect.catch(read(name, caller, request, id), Effect.succeed), toResponse))
