/** The parts of the OpenAPI documents that the contracts leave out: headers and errors of every answer. */
import type { Json } from "../model/json/Json.ts"
import { withSimplerSchemas } from "./DocumentSchemas.ts"

/** A header of answers. */
export interface AnswerHeader {
  readonly description: string
  /** Default: text. */
  readonly schema?: Json
  /** The statuses of the answers that may have it, e.g. `["200", "304"]`. Default: all. */
  readonly statuses?: ReadonlyArray<string>
  /** Whether only the pages of a list may have it. */
  readonly pages?: boolean
  /** Whether each of these answers has it. */
  readonly required?: boolean
}

/** The facts about all answers of an API. */
export interface CommonAnswers {
  /** By name. */
  readonly headers: Readonly<Record<string, AnswerHeader>>
  /** Whether GET is answered with 304 if the client has the answer already (D17). */
  readonly conditional: boolean
  /** Whether bodies of errors say if the same request may succeed later (D89). */
  readonly retryable: boolean
}

type Responses = Readonly<Record<string, Json>>
type Operation = Json & { readonly responses: Responses }

/** The names in `components` of answers that several operations share, by status. */
const names: Readonly<Record<string, string>> = {
  "304": "NotModified",
  "400": "BadRequest",
  "401": "Unauthorized",
  "403": "Forbidden",
  "404": "NotFound",
  "409": "Conflict",
  "410": "Gone",
  "413": "ContentTooLarge",
  "422": "UnprocessableContent",
  "429": "TooManyRequests",
  "500": "InternalServerError",
  "503": "ServiceUnavailable",
}

const notModified = { description: "The client has it already: `If-None-Match` names its `ETag`" }

const unexpected = {
  description: "Something went wrong on the service's side",
  content: { "application/json": { schema: { $ref: "#/components/schemas/ErrorBody" } } },
}

/** Completes an API's document for linters, generators of clients and readers. */
export const complete =
  ({ conditional, headers, retryable }: CommonAnswers) =>
  (document: Json): Json => {
    const simple = withSimplerSchemas(document, retryable)
    const components = simple["components"] as { readonly schemas: Readonly<Record<string, Json>> }
    const shared = new Map<string, Json>()

    /** Whether an answer is a page of a list. */
    const isPage = (response: Json | undefined): boolean => {
      const content = response?.["content"] as { readonly "application/json"?: { readonly schema: Json } } | undefined
      const name =
        String(content?.["application/json"]?.schema["$ref"] ?? "")
          .split("/")
          .at(-1) ?? ""
      return "pagination" in ((components.schemas[name]?.["properties"] ?? {}) as Json)
    }

    const headersOf = (status: string, paged: boolean): Json => {
      const carried = Object.entries(headers).filter(
        ([, { pages, statuses }]) => (statuses?.includes(status) ?? true) && (paged || pages !== true),
      )
      return Object.fromEntries(carried.map(([name]) => [name, { $ref: `#/components/headers/${name}` }]))
    }

    /** The answer, or a reference to it if other operations give the same. */
    const sharedOr = (status: string, response: Json): Json => {
      const name = names[status]
      if (name === undefined) return response
      const known = shared.get(name) ?? response
      if (JSON.stringify(known) !== JSON.stringify(response)) return response
      shared.set(name, response)
      return { $ref: `#/components/responses/${name}` }
    }

    const responsesOf = (method: string, { responses }: Operation): Responses =>
      Object.fromEntries(
        Object.entries<Json>({
          ...responses,
          ...(conditional && method === "get" ? { "304": notModified } : {}),
          "500": unexpected,
        }).map(([status, response]) => {
          const carried = {
            ...(response["headers"] as Json | undefined),
            ...headersOf(status, isPage(responses["200"])),
          }
          return [status, sharedOr(status, { ...response, headers: carried })]
        }),
      )

    const paths = Object.entries(simple["paths"] as Readonly<Record<string, Readonly<Record<string, Operation>>>>).map(
      ([path, operations]) => [
        path,
        Object.fromEntries(
          Object.entries(operations).map(([method, operation]) => [
            method,
            { ...operation, responses: responsesOf(method, operation) },
          ]),
        ),
      ],
    )
    const described = Object.entries(headers).map(([name, { description, required = false, schema }]) => [
      name,
      { description, required, schema: schema ?? { type: "string" } },
    ])
    return {
      ...simple,
      info: {
        ...(simple["info"] as Json),
        contact: { name: "Designwire" },
        license: { name: "MIT", identifier: "MIT" },
      },
      // Relative to the address of the document.
      servers: simple["servers"] ?? [{ url: "/", description: "The host that this document was read from" }],
      paths: Object.fromEntries(paths),
      components: {
        ...components,
        headers: Object.fromEntries(described),
        responses: Object.fromEntries([...shared].sort(([left], [right]) => left.localeCompare(right))),
      },
    }
  }
