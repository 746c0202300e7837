import type { Json } from "../../core/model/json/Json.ts"
import { longestKey } from "../../core/usecases/AnswerOnce.ts"

type Operation = Json & { readonly parameters?: ReadonlyArray<Json>; readonly responses: Json }

const parameter = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  schema: {
    type: "string",
    minLength: 1,
    maxLength: longestKey,
    description: [
      "A key of yours for this request, such as a UUID. For 24 hours the same request with the same key gets the first",
      "answer again and changes nothing, so that a request without an answer can be repeated. With another body or path",
      "the key is 422, and 409 while the first request is under way.",
    ].join(" "),
  },
}

const withProblems = { "application/json": { schema: { $ref: "#/components/schemas/InputErrorBody" } } }

/** The answers to a key that can't be used. */
const refusals = {
  "400": { $ref: "#/components/responses/BadRequest" },
  "409": { $ref: "#/components/responses/Conflict" },
  "422": {
    description: "Another request was sent with this `Idempotency-Key`",
    content: withProblems,
    headers: { "Cache-Control": { $ref: "#/components/headers/Cache-Control" } },
  },
}

/** Describes the header `Idempotency-Key`, and the answers to it, at every POST request of a document. */
export const withIdempotencyKey = (document: Json): Json => {
  const paths = document["paths"] as Readonly<Record<string, Readonly<Record<string, Operation>>>>
  const described = ({ parameters = [], responses, ...operation }: Operation) => ({
    ...operation,
    parameters: [...parameters, parameter],
    responses: { ...refusals, ...responses },
  })
  return {
    ...document,
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, { post, ...others }]) => [
        path,
        post === undefined ? others : { ...others, post: described(post) },
      ]),
    ),
  }
}
