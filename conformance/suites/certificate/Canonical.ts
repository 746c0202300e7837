import { isPlainObject } from "../../../core/model/json/Json.ts"

/**
 * JSON with one spelling for one value: keys in the order of their code units, no white space, as RFC 8785 has it. A
 * report that a tool has formatted or whose keys it has sorted keeps its digest and its signature.
 */
export const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`
  if (!isPlainObject(value)) return JSON.stringify(value) ?? "null"
  const members = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .toSorted((one, two) => (one < two ? -1 : 1))
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)
  return `{${members.join(",")}}`
}

/** The bytes that a signature is over, with the type of what is signed in front: the encoding of DSSE v1. */
export const signedBytes = (type: string, value: unknown): Uint8Array => {
  const encoder = new TextEncoder()
  const body = encoder.encode(canonical(value))
  const head = encoder.encode(`DSSEv1 ${encoder.encode(type).length} ${type} ${body.length} `)
  const bytes = new Uint8Array(head.length + body.length)
  bytes.set(head)
  bytes.set(body, head.length)
  return bytes
}
