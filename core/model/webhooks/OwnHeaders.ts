import { Schema } from "effect"

/** An endpoint has at most this many headers of its owner's (D55). */
const maximumHeaders = 10

/** A header's value has at most this many characters. */
const maximumValue = 1_024

/** The names that HTTP, the way to the receiver, or this service gives a meaning of its own. */
const reserved = new Set([
  ...["accept-encoding", "connection", "date", "expect", "host"],
  ...["keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer"],
  ...["transfer-encoding", "upgrade", "user-agent", "traceparent", "tracestate", "baggage"],
])

const isReserved = (name: string): boolean => reserved.has(name) || /^(content|x-service|webhook)-/.test(name)

/** A token of RFC 9110 §5.6.2. */
const nameShape = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/

/** Visible characters of ASCII, with spaces and tabs between them. */
const valueShape = /^[\x21-\x7e]([\x20-\x7e\t]*[\x21-\x7e])?$/

const problemOf = (headers: Readonly<Record<string, string>>): string | undefined => {
  const names = Object.keys(headers)
  if (names.length > maximumHeaders) return `must be at most ${maximumHeaders} headers, not ${names.length}`
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length)
    return "must have each name once, whatever its case"
  for (const [name, value] of Object.entries(headers)) {
    if (!nameShape.test(name)) return `must have names of 1 to 64 characters: letters, digits and !#$%&'*+.^_\`|~-`
    if (isReserved(name.toLowerCase()))
      return `must have other names than ${name}, which the service or the connection sets`
    if (value.length > maximumValue || !valueShape.test(value)) {
      return `must have a value of ${name} of 1 to ${maximumValue} visible ASCII characters, spaces only between them`
    }
  }
  return undefined
}

/** Headers of the owner's by their names, as they are sent: for a gateway, or basic authentication (D55). */
export const OwnHeaders = Schema.Record(Schema.String, Schema.String)
  .check(
    Schema.makeFilter((headers) => problemOf(headers) ?? true, {
      expected: 'an object of headers, such as {"X-Team": "shop"}',
    }),
  )
  .annotate({ unrepeated: true })
export type OwnHeaders = typeof OwnHeaders.Type

/** The same as they are kept: the names, and the whole of them sealed as a signing secret is (D20). */
export interface SealedHeaders {
  readonly names: ReadonlyArray<string>
  readonly sealed: string
}
