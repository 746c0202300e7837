/** Examples of requests and answers for an API's document. The API itself made them (conformance/checks/openapi). */
import { Context, Effect } from "effect"
import { type HttpApi, type HttpApiGroup, OpenApi } from "effect/http-api"
import type { Json } from "../model/json/Json.ts"
import { mapObjects } from "./DocumentSchemas.ts"

/** Examples, by operation. */
export interface Examples {
  readonly operations: Readonly<
    Record<string, { readonly request?: unknown; readonly answers: Readonly<Record<string, unknown>> }>
  >
  /** Bodies of errors by status, for operations without examples of their own. */
  readonly errors: Readonly<Record<string, unknown>>
  /** The headers and the body of each webhook. */
  readonly webhooks?: Readonly<
    Record<string, { readonly headers: Readonly<Record<string, string>>; readonly body: unknown }>
  >
}

/** The examples of the REST API. */
export const restExamples: Effect.Effect<Examples> = Effect.promise(async () => {
  const { default: examples } = await import("./examples.json", { with: { type: "json" } })
  return examples
})

type Content = Readonly<Record<string, Json>>

/** Adds an example to a request or answer that has JSON. */
const withExample = (described: Json, example: unknown): Json => {
  const content = described["content"] as Content | undefined
  const json = content?.["application/json"]
  if (json === undefined || example === undefined) return described
  return { ...described, content: { ...content, "application/json": { ...json, example } } }
}

const mapValues = (object: unknown, change: (value: Json, key: string) => Json): Json =>
  Object.fromEntries(
    Object.entries((object ?? {}) as Readonly<Record<string, Json>>).map(([key, value]) => [key, change(value, key)]),
  )

/** The statuses of the document's shared answers, by their names. */
const sharedStatuses = (document: Json): ReadonlyMap<string, string> => {
  const statuses = new Map<string, string>()
  mapObjects(document["paths"], (node) => {
    for (const [status, response] of Object.entries(node)) {
      const name = /^#\/components\/responses\/(\w+)$/.exec(String((response as Json | null)?.["$ref"] ?? ""))?.[1]
      if (name !== undefined) statuses.set(name, status)
    }
    return node
  })
  return statuses
}

/** A document with examples. */
const addExamples =
  ({ errors, operations, webhooks = {} }: Examples) =>
  (document: Json): Json => {
    const statuses = sharedStatuses(document)
    const components = document["components"] as Json
    const operation = (described: Json): Json => {
      const own = operations[String(described["operationId"])]
      const body = described["requestBody"] as Json | undefined
      return {
        ...described,
        ...(body === undefined ? {} : { requestBody: withExample(body, own?.request) }),
        responses: mapValues(described["responses"], (response, status) =>
          withExample(response, own?.answers[status] ?? errors[status]),
        ),
      }
    }
    const webhook = (described: Json): Json => {
      const own = webhooks[String(described["operationId"])]
      return {
        ...described,
        parameters: (described["parameters"] as ReadonlyArray<Json>).map((parameter) => {
          const example = own?.headers[String(parameter["name"])]
          return example === undefined ? parameter : { ...parameter, example }
        }),
        requestBody: withExample(described["requestBody"] as Json, own?.body),
      }
    }
    return {
      ...document,
      paths: mapValues(document["paths"], (item) => mapValues(item, operation)),
      ...(document["webhooks"] === undefined
        ? {}
        : { webhooks: mapValues(document["webhooks"], (item) => mapValues(item, webhook)) }),
      components: {
        ...components,
        responses: mapValues(components["responses"], (response, name) =>
          withExample(response, errors[statuses.get(name) ?? ""]),
        ),
      },
    }
  }

/** The same contract, with examples in its document. */
export const withExamples = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  examples: Examples,
): HttpApi.HttpApi<Id, Groups> => {
  const before = Context.getOption(api.annotations, OpenApi.Transform)
  const add = addExamples(examples)
  return api.annotate(OpenApi.Transform, (document) =>
    add(before._tag === "Some" ? before.value(document) : document),
  ) as HttpApi.HttpApi<Id, Groups>
}
