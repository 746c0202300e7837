/** Random requests to the REST API as bytes: good, bad and odd ones. Equal seeds make equal requests. */
import { makeDraw } from "./Draw.ts"
import type { Known } from "./Known.ts"
import { makeOddHeaders } from "./OddHeaders.ts"
import { makeOddTargets } from "./OddTargets.ts"

/** A request as sent over the wire. */
export interface OddRequest {
  readonly method: string
  readonly text: string
}

const methods = ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "QUERY", "SEARCH", "M-SEARCH"]

interface Body {
  readonly headers: ReadonlyArray<string>
  readonly text: string
}

const oddBodies: ReadonlyArray<Body> = [
  { headers: ["Content-Length: 0"], text: "" },
  { headers: ["Content-Length: 2", "Content-Type: application/json"], text: "{}" },
  { headers: ["Transfer-Encoding: chunked"], text: "3\r\nabc\r\n0\r\n\r\n" },
  { headers: ["Content-Length: 3", "Expect: 100-continue"], text: "abc" },
  { headers: ["Content-Length: 3", "Expect: something"], text: "abc" },
]

/** Generates requests, one after the other. */
export const makeOddRequests = (known: Known, next: () => number) => {
  const draw = makeDraw(next)
  const { chance, one } = draw
  const nextTarget = makeOddTargets(draw, known)
  const nextHeaders = makeOddHeaders(draw, known)
  return (): OddRequest => {
    const method = chance(0.8) ? "GET" : chance(0.5) ? "HEAD" : one(methods)
    const target = nextTarget()
    const body = chance(0.94) ? { headers: [], text: "" } : one(oddBodies)
    const address = chance(0.97) ? target : `${one(["http://a", "HTTP://a.example", "https://a", "http:"])}${target}`
    const lines = [...nextHeaders(), ...body.headers]
    const version = chance(0.98) ? "1.1" : "1.0"
    return { method, text: `${method} ${address} HTTP/${version}\r\n${lines.join("\r\n")}\r\n\r\n${body.text}` }
  }
}
