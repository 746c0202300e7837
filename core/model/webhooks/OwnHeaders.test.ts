import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { reader } from "../Input.ts"
import { EndpointInput } from "./Endpoint.ts"

const read = reader(EndpointInput)

const problemOf = (headers: unknown) => {
  const result = read({ url: "https://erp.example.com/", headers } as never)
  return Result.isFailure(result)
    ? result.failure.problems.map(({ message, path }) => `${path}: ${message}`).join()
    : ""
}

describe("Headers of the owner's (D55)", () => {
  it("MUST be names and values that HTTP can carry, or null", () => {
    const ten = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`X-${index}`, "v"]))
    const values = { Authorization: "Basic dXNlcjpwYXNz", "x-api-key": "a b\tc~!", "X.Y_z": "v".repeat(1_024) }
    for (const headers of [null, {}, values, ten]) expect(problemOf(headers)).toBe("")
  })

  it("MUST be ten at most, none twice whatever its case (D55)", () => {
    const eleven = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`X-${index}`, "v"]))
    expect(problemOf(eleven)).toContain("at most 10 headers")
    expect(problemOf({ "X-A": "1", "x-a": "2" })).toContain("each name once")
  })

  it.each([
    ...["Host", "content-length", "Transfer-Encoding", "CONNECTION", "Keep-Alive", "TE", "Trailer", "Upgrade"],
    ...["Proxy-Authorization", "Content-Type", "Content-Language", "User-Agent", "Expect"],
    ...["traceparent", "tracestate", "baggage"],
    ...["X-Service-Signature", "x-service-anything", "webhook-id", "Webhook-Timestamp", "webhook-signature"],
  ])("MUST NOT be what the connection or the service sets: %s (D55)", (name) => {
    expect(problemOf({ [name]: "v" })).toContain(`other names than ${name}`)
  })

  it.each(["", "a b", "a:b", "ä", "a\n", "x".repeat(65)])("MUST NOT have the name %j", (name) => {
    expect(problemOf({ [name]: "v" })).toContain("names of 1 to 64 characters")
  })

  it.each(["", " a", "a ", "a\r\nX-Evil: b", "a\nb", "a\0b", "ä", "\u007f", "v".repeat(1_025)])(
    "MUST NOT have the value %j, which the answer does not repeat",
    (value) => {
      const problem = problemOf({ Authorization: value })
      expect(problem).toContain("a value of Authorization of 1 to 1024 visible ASCII characters")
      if (value.length > 2) expect(problem).not.toContain(value)
    },
  )

  it("MUST be an object of texts", () => {
    for (const headers of [[], "a", 1, { a: 1 }, { a: null }]) expect(problemOf(headers)).toContain("headers")
  })
})
