/** Checks a response against the OpenAPI documents: status, headers, type and body. */
import type { Json } from "../../../core/model/json/Json.ts"
import { type ApiName, plainDocuments } from "./Documents.ts"
import { jsonOf, makeFindOperation, type Operation, resolve, responsesOf } from "./Operations.ts"
import { makeValidator } from "./Validator.ts"

/** The response to a request. */
export interface Answered {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
}

const prefixes: Readonly<Record<ApiName, string>> = { rest: "/api/v1/", manage: "/manage/v1/" }

/** Headers of the connection and of the body, which OpenAPI describes elsewhere or not at all. */
const ofTransport = new Set(["date", "connection", "keep-alive", "content-length", "content-type", "transfer-encoding"])

/** Statuses sent before the operation is known, by the HTTP parser and by connection limits (D11). */
const ofConnection = new Set([408, 413, 417, 431])

/** Statuses of requests without an operation: authentication, rate limit, and not found. */
const withoutOperation = new Set([400, 401, 403, 404, 405, 429, 500, 503, ...ofConnection])

const isErrorBody = (text: string): boolean => {
  try {
    const body = JSON.parse(text) as unknown
    return (
      typeof body === "object" &&
      body !== null &&
      ["message", "message,retryable"].includes(Object.keys(body).join()) &&
      typeof (body as Json)["message"] === "string" &&
      (body as Json)["message"] !== ""
    )
  } catch {
    return false
  }
}

const makeDescribed = (api: ApiName) => {
  const document = plainDocuments[api]
  const find = makeFindOperation(document)
  const misfits = makeValidator(document)
  const responses = new Map<string, Readonly<Record<string, Json>>>()

  const responsesFor = (operation: Operation) => {
    const known = responses.get(operation.id) ?? responsesOf(document, operation)
    responses.set(operation.id, known)
    return known
  }

  const headerProblems = (response: Json, { headers }: Answered): ReadonlyArray<string> => {
    const described = Object.entries((response["headers"] ?? {}) as Readonly<Record<string, Json>>).map(
      ([name, header]) => [name.toLowerCase(), resolve(document, header)] as const,
    )
    const byName = new Map(described)
    return [
      ...Object.keys(headers)
        .filter((name) => headers[name] !== undefined && !ofTransport.has(name) && !byName.has(name))
        .map((name) => `the header ${name} is not described`),
      ...described.flatMap(([name, { required, schema }]) => {
        const value = headers[name]
        if (value === undefined) return required === true ? [`the header ${name} is missing`] : []
        return misfits(schema as Json, value).map((problem) => `the header ${name}: ${problem}`)
      }),
    ]
  }

  const bodyProblems = (method: string, response: Json, { headers, status, text }: Answered): ReadonlyArray<string> => {
    const json = jsonOf(response)
    if (method === "HEAD") return text === "" ? [] : ["an answer to HEAD has a body"]
    if (json === undefined) {
      const types = Object.keys((response["content"] ?? {}) as Json)
      return text === "" || types.includes((headers["content-type"] ?? "").replace("; charset=utf-8", ""))
        ? []
        : ["a body is not described"]
    }
    if (headers["content-type"] !== "application/json") return [`the type ${headers["content-type"]} is not described`]
    if (status >= 400 && text.includes('"message":""')) return ["an error, or one of its problems, says nothing"]
    return misfits(json["schema"] as Json, JSON.parse(text) as unknown).map((problem) => `the body: ${problem}`)
  }

  return (method: string, url: string, answer: Answered): ReadonlyArray<string> => {
    const operation = find(method, url)
    if (operation === undefined || ofConnection.has(answer.status)) {
      const documented = operation === undefined ? undefined : responsesFor(operation)[answer.status]
      if (documented !== undefined) return bodyProblems(method, documented, answer)
      if (!withoutOperation.has(answer.status))
        return [`the status ${answer.status} is not described: there is no such operation`]
      return method === "HEAD" || isErrorBody(answer.text)
        ? []
        : [`the body of an error is not {"message": …}: ${answer.text}`]
    }
    const response = responsesFor(operation)[answer.status]
    if (response === undefined) return [`the status ${answer.status} is not described: ${answer.text.slice(0, 200)}`]
    return [...headerProblems(response, answer), ...bodyProblems(method, response, answer)]
  }
}

let described: Readonly<Record<ApiName, ReturnType<typeof makeDescribed>>> | undefined

/** The parts of a response that the documents do not describe; none for foreign addresses. */
export const undescribed = (method: string, url: string, answer: Answered): ReadonlyArray<string> => {
  described ??= { rest: makeDescribed("rest"), manage: makeDescribed("manage") }
  const api = (["rest", "manage"] as const).find((name) => url.startsWith(prefixes[name]))
  return api === undefined ? [] : described[api](method, url, answer)
}
