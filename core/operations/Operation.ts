/** Something that a caller may ask for, as one entry: routes, documents and functions are made from it. */
import { Context, type Effect, type Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { type HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import type { NotFound, PlanRequired } from "../model/Errors.ts"
import type { Json } from "../model/json/Json.ts"
import type { Parameter } from "../model/queries/Query.ts"
import type { WireForm } from "../model/WireForm.ts"

/** An id in an operation's path, as functions take it. */
export interface Id {
  readonly type: string
  /** The id that a path's text stands for. Default: the text. */
  readonly read?: (text: string) => Effect.Effect<unknown, NotFound>
}

/**
 * The part of a request that has the input, which stands behind the ids among the arguments of `call`. The use case
 * reads it by the schema that the address names, or by the `query`: it knows the shop by then, whose absence is the
 * first thing to say, and it is called without HTTP, too. `fields` are parameters that it reads as strictly as a body.
 */
export type InputFrom = "body" | "optional body" | "query" | "fields"

/** The parameters of an address, for readers of documents. */
export type Parameters = Readonly<Record<string, Pick<Parameter, "comment" | "description" | "isRequired" | "schema">>>

/** The functions' part of an operation. */
export interface Method {
  /** Whether the function changes something, and so takes the caller's transaction and actor. */
  readonly method: "reads" | "changes"
  /** The function's doc comment. */
  readonly comment: string
}

/** The schemas of a function's input and result, if it takes or gives other things than its address. */
export interface Plain {
  readonly takes?: Schema.Top
  readonly gives?: Schema.Top
}

// biome-ignore lint/suspicious/noExplicitAny: the arguments of any use case.
export type Arguments = ReadonlyArray<any>

/** The parts of an operation alongside its address. */
export interface Parts<Args extends Arguments, A, E, R> extends Partial<Method>, Plain {
  readonly ids?: Readonly<Record<string, Id>>
  readonly input?: InputFrom
  readonly query?: Parameters
  /** The use case, with the ids of the path and the input. */
  readonly call: (...args: Args) => Effect.Effect<A, E, R>
}

/** The values that an endpoint can answer. */
export type AnswerOf<Endpoint extends HttpApiEndpoint.Constraint> = Effect.Success<
  ReturnType<HttpApiEndpoint.HandlerRaw<Endpoint, never, never>>
>

/** The failures that an endpoint can answer: its own; a store's, as 503; and the plan's, as a conflict. */
export type FailureOf<Endpoint extends HttpApiEndpoint.Constraint> =
  | Endpoint["~Error"]["Type"]
  | PlanRequired
  | { readonly _tag: "StorageError" }

/** An operation with an address. */
export const operation = <
  const Endpoint extends HttpApiEndpoint.ConstraintRequest,
  Args extends Arguments,
  A,
  E extends FailureOf<Endpoint>,
  R,
  const Rest extends Partial<Method>,
>(
  http: Endpoint,
  rest: Rest &
    Parts<Args, A, E, R> &
    ([A] extends [AnswerOf<Endpoint>]
      ? { readonly answer?: (result: A) => AnswerOf<Endpoint> }
      : {
          /** The answer to a request, if it is not the result itself. */ readonly answer: (
            result: A,
          ) => AnswerOf<Endpoint>
        }),
) => ({ ...rest, http: documented(http, rest) })

/** The address with what its schemas do not say of the input. */
const documented = <Endpoint extends HttpApiEndpoint.ConstraintRequest>(
  http: Endpoint,
  { input, query = {} }: { readonly input?: InputFrom; readonly query?: Parameters },
): Endpoint => {
  if (input === undefined || input === "body") return http
  const endpoint = http as unknown as HttpApiEndpoint.Top
  const before = Context.getOrUndefined(endpoint.annotations, OpenApi.Transform)
  const parameters = Object.entries(query).map(([name, { description, isRequired = false, schema }]) => ({
    name,
    in: "query",
    required: isRequired,
    schema: { ...schema, description },
  }))
  const change = (operation: Json): Json =>
    input === "optional body"
      ? { ...operation, requestBody: { ...(operation["requestBody"] as Json), required: false } }
      : { ...operation, parameters: [...(operation["parameters"] as ReadonlyArray<Json>), ...parameters] }
  return endpoint.annotate(OpenApi.Transform, (operation) =>
    change(before === undefined ? operation : before(operation)),
  ) as unknown as Endpoint
}

/** An operation that only functions offer. */
export const functionOnly = <Args extends Arguments, A, E, R>(
  rest: Parts<Args, A, E, R> & Method & { readonly gives: Schema.Top },
) => rest

/** Any operation. */
export interface Operation extends Parts<Arguments, unknown, { readonly _tag: string }, unknown> {
  readonly http?: HttpApiEndpoint.Top
  readonly answer?: (result: never) => unknown
}

/** The names of the ids that an operation takes. */
export const idsOf = ({ http, ids = {} }: Operation): ReadonlyArray<string> =>
  http === undefined ? Object.keys(ids) : [...http.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name)

/** Operations on the same things, by the names of their functions. */
export interface Noun<Id extends string = string, Operations = Readonly<Record<string, Operation>>> {
  readonly id: Id
  readonly title: string
  readonly description: string
  /** The doc comment of its functions. */
  readonly comment?: string
  readonly operations: Operations
}

/** The addresses of operations. */
export type EndpointsOf<Operations> = {
  [Name in keyof Operations]: Operations[Name] extends {
    readonly http: infer Endpoint extends HttpApiEndpoint.Constraint
  }
    ? Endpoint
    : never
}[keyof Operations]

/** The addresses of a noun, as a group of a contract. */
export const groupOf = <const Id extends string, Operations extends Readonly<Record<string, object>>>({
  description,
  id,
  operations,
  title,
}: Noun<Id, Operations>): HttpApiGroup.HttpApiGroup<Id, EndpointsOf<Operations>> => {
  const all: ReadonlyArray<Operation> = Object.values(operations as Readonly<Record<string, Operation>>)
  const [first, ...others] = all.flatMap(({ http }) => http ?? [])
  const group = HttpApiGroup.make(id)
  return (first === undefined ? group : group.add(first, ...others)).annotateMerge(
    OpenApi.annotations({ title, description }),
  ) as unknown as HttpApiGroup.HttpApiGroup<Id, EndpointsOf<Operations>>
}

/** The answer that has a stored text as it is. */
export const asStored = ({ text }: WireForm<unknown>, status = 200) =>
  HttpServerResponse.text(text, { status, contentType: "application/json" })

/** The answer without a body. */
export const nothing = HttpServerResponse.empty({ status: 204 })

/** The answer that lists all of something. */
export const asList = <A>(data: ReadonlyArray<A>) => ({ data })
