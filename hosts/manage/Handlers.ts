/** The routes of the management API: operations, with the ids and the input of a request. */
import { Effect, Layer } from "effect"
import type { HttpRouter, HttpServerRequest } from "effect/http"
import { HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { parametersOf } from "../../core/api/Parameters.ts"
import { unavailable } from "../../core/api/Unavailable.ts"
import { Conflict, type InvalidInput, type PlanRequired, type Refused } from "../../core/model/Errors.ts"
import * as Operations from "../../core/operations/index.ts"
import { type InputFrom, idsOf, type Operation } from "../../core/operations/Operation.ts"
import { jsonBody, optionalJsonBody } from "./Body.ts"
import { Contract } from "./Contract.ts"
import { type IdempotencyKey, layerIdempotencyKey } from "./IdempotencyKey.ts"
import { type KeyCheck, layerManageKey, type ManageKey } from "./ManageKey.ts"

type Request = HttpServerRequest.HttpServerRequest

/** The input of a request. A body is read once, as JSON: the use case says what else is wrong with it. */
const inputs: Readonly<Record<InputFrom, (request: Request) => Effect.Effect<unknown, InvalidInput | Refused>>> = {
  body: jsonBody,
  "optional body": optionalJsonBody,
  query: ({ url }) => Effect.succeed(parametersOf(url)),
  fields: ({ url }) => Effect.succeed(parametersOf(url)),
}

/**
 * Callers who manage a shop can change its plan: a feature that the plan lacks is 409 for them (D8), and 403 for
 * holders of tokens.
 */
const planConflict = <E extends { readonly _tag: string }>(error: E | PlanRequired) =>
  error._tag === "PlanRequired" ? new Conflict({ message: (error as PlanRequired).message }) : error

interface Asked {
  readonly params?: Readonly<Record<string, string>>
  readonly request: Request
}

/** The handler of an operation's route. */
const handlerOf = (operation: Operation) => {
  const { answer, call, ids = {}, input } = operation
  const names = idsOf(operation)
  const readers = names.map((name) => ids[name]?.read ?? Effect.succeed<unknown>)
  const answered = (args: ReadonlyArray<unknown>) =>
    answer === undefined ? call(...args) : Effect.map(call(...args), answer as (result: unknown) => unknown)
  return ({ params = {}, request }: Asked) =>
    Effect.forEach(readers, (read, index) => read(params[names[index] as string] as string)).pipe(
      Effect.flatMap((found) =>
        input === undefined
          ? answered(found)
          : Effect.flatMap(inputs[input](request), (given) => answered([...found, given])),
      ),
      Effect.mapError(planConflict),
      unavailable,
    )
}

/** The nouns of which some operation has an address. */
type Nouns = Extract<(typeof Operations)[keyof typeof Operations], { readonly id: keyof typeof Contract.groups }>

const nouns = Object.values(Operations).filter((noun): noun is Nouns => noun.id in Contract.groups)

/** The services of the operations that have an address. */
type ServicesOf<Operations> = {
  [Name in keyof Operations]: Operations[Name] extends {
    readonly http: unknown
    // biome-ignore lint/suspicious/noExplicitAny: the arguments of any use case.
    readonly call: (...args: any) => Effect.Effect<unknown, unknown, infer R>
  }
    ? R
    : never
}[keyof Operations]

type Services = Nouns extends infer Noun ? (Noun extends Nouns ? ServicesOf<Noun["operations"]> : never) : never

type Handled = { readonly handleRaw: (name: string, handler: ReturnType<typeof handlerOf>) => unknown }

/** The routes of the operations on the same things. `operation` has checked the arguments and the answer. */
const routesOf = ({ id, operations }: Nouns) =>
  HttpApiBuilder.group(Contract, id, (handlers) => {
    for (const operation of Object.values<Operation>(operations as never)) {
      const { http } = operation
      if (http !== undefined) (handlers as unknown as Handled).handleRaw(http.identifier, handlerOf(operation))
    }
    return handlers as never
  })

const routes = Layer.mergeAll(...(nouns.map(routesOf) as [never])) as unknown as Layer.Layer<
  HttpApiGroup.Service<"designwire-manage", Nouns["id"]>,
  never,
  IdempotencyKey | ManageKey | HttpRouter.Request.From<"Requires", Services>
>

/** The management API under `/manage/v1`, for callers that pass the check of the key. */
export const layerHandlers = (check: KeyCheck) =>
  HttpApiBuilder.layer(Contract).pipe(
    Layer.provide(routes),
    Layer.provide([layerIdempotencyKey, layerManageKey(check)]),
  )
