/** The operations of an OpenAPI document, and the operation of a request. */
import { routable } from "../../../core/api/Paths.ts"
import type { Json } from "../../../core/model/json/Json.ts"

/** An OpenAPI document. */
export type Document = Json & {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>
  readonly webhooks?: Readonly<Record<string, { readonly post: Json }>>
  readonly components: Readonly<Record<string, Readonly<Record<string, Json>>>>
}

/** An operation of an API. */
export interface Operation {
  readonly id: string
  /** In capital letters. */
  readonly method: string
  /** With `{names}` of its parameters. */
  readonly path: string
  readonly spec: Json
}

/** All operations of a document, in its order. */
export const operationsOf = (document: Document): ReadonlyArray<Operation> =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, spec]) => ({
      id: String(spec["operationId"]),
      method: method.toUpperCase(),
      path,
      spec,
    })),
  )

/** Finds the operation of a request by its method and path; HEAD counts as GET. */
export const makeFindOperation = (document: Document) => {
  const patterns = operationsOf(document).map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replaceAll(".", "\\.").replace(/\{[^}]+\}/g, "[^/]+")}$`),
  }))
  const prefix = /^\/\w+\/v\d+/.exec(patterns[0]?.operation.path ?? "")?.[0] ?? ""
  return (method: string, url: string): Operation | undefined => {
    const path = routable(url, prefix).split("?")[0] ?? ""
    const wanted = method === "HEAD" ? "GET" : method
    return patterns.find(({ operation, pattern }) => operation.method === wanted && pattern.test(path))?.operation
  }
}

/** Resolves a reference of the document; returns anything else unchanged. */
export const resolve = (document: Document, node: Json): Json => {
  const ref = node["$ref"]
  if (typeof ref !== "string") return node
  const found = ref
    .slice(2)
    .split("/")
    .reduce<unknown>((at, key) => (at as Json | undefined)?.[key], document)
  if (found === undefined) throw new Error(`The document has no ${ref}`)
  return resolve(document, found as Json)
}

/** The responses of an operation by status. */
export const responsesOf = (document: Document, { spec }: Operation): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    Object.entries(spec["responses"] as Readonly<Record<string, Json>>).map(([status, response]) => [
      status,
      resolve(document, response),
    ]),
  )

/** The described JSON body of a request or a response: its schema and an example. */
export const jsonOf = (described: Json): Json | undefined =>
  (described["content"] as Readonly<Record<string, Json>> | undefined)?.["application/json"]

/** The parameters of an operation. */
export const parametersOf = ({ spec }: Operation): ReadonlyArray<Json> =>
  (spec["parameters"] ?? []) as ReadonlyArray<Json>
