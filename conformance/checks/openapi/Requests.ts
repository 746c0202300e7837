/** Random requests to an API from its OpenAPI document alone: described, and almost described. */
import type { Json } from "../../../core/model/json/Json.ts"
import type { Sent } from "../../testkit/hosts/TestHost.ts"
import { type Document, jsonOf, type Operation, operationsOf, parametersOf } from "./Operations.ts"
import { type Draw, makeRandomJson, oddTexts } from "./RandomJson.ts"

/** Known names for requests. */
export interface Known {
  /** By parameter name, or for `id` by the preceding segment. */
  readonly ids: Readonly<Record<string, ReadonlyArray<string>>>
  readonly keys: ReadonlyArray<string>
  readonly etags: ReadonlyArray<string>
  readonly cursors: ReadonlyArray<string>
}

/** A request. */
export interface FuzzRequest {
  readonly method: string
  readonly path: string
  readonly sent: Sent
}

const encode = (text: string): string => encodeURIComponent(text.replace(/[\ud800-\udfff]/g, "?"))

const codings = ["gzip", "br", "zstd", "gzip, br;q=0.5, *;q=0", "identity;q=0", "deflate", "", "gzip;q=x"]

/** Generates requests, one after the other. */
export const makeRequests = (document: Document, draw: Draw) => {
  const { chance, one } = draw
  const operations = operationsOf(document)
  // Everything removed would answer 404 to all later requests.
  const keeping = operations.filter(({ method }) => method !== "DELETE")
  const json = makeRandomJson(document, draw)

  const pathOf = ({ path }: Operation, { ids }: Known): string =>
    path.replace(/([^/]+)\/\{([^}]+)\}/g, (_, folder: string, name: string) => {
      const some = ids[name === "id" ? folder : name] ?? []
      if (some.length > 0 && !chance(0.15)) return `${folder}/${encode(one(some))}`
      return `${folder}/${chance(0.8) ? encode(one(oddTexts)) || "x" : one(["%zz", "%ff", "a;b", "...", "%00", "a%2Fb"])}`
    })

  const queryOf = (operation: Operation, known: Known): string => {
    const parameters = parametersOf(operation).filter((parameter) => parameter["in"] === "query" && chance(0.5))
    const pairs = parameters.flatMap((parameter) => {
      const name = String(parameter["name"])
      const value =
        known.cursors.length > 0 && /cursor|after/.test(name) && chance(0.5) ? one(known.cursors) : undefined
      const pair = `${name}=${encode(value ?? String(chance(0.8) ? json.value(parameter["schema"] as Json) : one(oddTexts)))}`
      return chance(0.05) ? [pair, pair] : [pair]
    })
    if (chance(0.03)) pairs.push(encode(one(oddTexts)))
    return pairs.length === 0 ? "" : `?${pairs.join("&")}`
  }

  const bodyOf = ({ spec }: Operation): string | undefined => {
    const described = spec["requestBody"] as Json | undefined
    if (described === undefined) return chance(0.05) ? "{}" : undefined
    if (chance(0.03)) return undefined
    if (chance(0.03)) return one(["{", "[", "nul", '"', "\ufeff{}", "{}{}", '{"a":1,"a":2}', "[".repeat(20_000), ""])
    const { example, schema } = jsonOf(described) as Json
    const choice = chance(0.4) ? example : chance(0.5) ? json.changed(example) : json.value(schema as Json)
    return JSON.stringify(choice ?? json.value(schema as Json))
  }

  const headersOf = ({ etags, keys }: Known): Record<string, string> => ({
    ...(chance(0.97)
      ? { authorization: `Bearer ${one(keys)}` }
      : chance(0.5)
        ? { authorization: one(["Bearer", "Basic eDp5", "Bearer x y"]) }
        : {}),
    ...(chance(0.2) ? { "accept-encoding": one(codings) } : {}),
    ...(chance(0.1) && etags.length > 0 ? { "if-none-match": one([one(etags), "*", '"x"', "x"]) } : {}),
    ...(chance(0.05) ? { "x-api-version": one(["2026-10", "2026-09", ""]) } : {}),
    ...(chance(0.05) ? { accept: "text/html" } : {}),
  })

  return (known: Known): FuzzRequest => {
    const operation = one(chance(0.03) ? operations : keeping)
    const method = chance(0.95) ? operation.method : one(["GET", "HEAD", "POST", "PUT", "PATCH", "OPTIONS"])
    const path = pathOf(operation, known) + queryOf(operation, known)
    const body = method === "GET" || method === "HEAD" ? undefined : bodyOf(operation)
    const type =
      body !== undefined && chance(0.8)
        ? { "content-type": one(["application/json", "application/json; charset=utf-8", "text/plain", "x"]) }
        : {}
    return {
      method,
      path,
      sent: { headers: { ...headersOf(known), ...type }, ...(body === undefined ? {} : { body }) },
    }
  }
}
