import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { TokenInput } from "../../core/model/access/Token.ts"
import { Conflict, InvalidInput, PlanRequired, type RefusalReason, refusedAt } from "../../core/model/Errors.ts"
import { reader } from "../../core/model/Input.ts"
import { PlatformInput } from "../../core/model/ingest/PlatformConnection.ts"
import { EndpointInput, RotationInput } from "../../core/model/webhooks/Endpoint.ts"
import { publicOnly } from "../../core/model/webhooks/HostPolicy.ts"
import { judgeUrl } from "../../core/rules/webhooks/PublicHost.ts"
import { rejectionOf } from "./Problems.ts"
import { english } from "./texts/English.ts"

const { problems: words } = english

/** The problems of input, as a form shows them. */
const shownFor = (schema: Parameters<typeof reader>[0], input: unknown) => {
  const result = reader(schema)(input)
  if (!Result.isFailure(result) || result.failure._tag !== "InvalidInput") throw new Error("The input is valid")
  return rejectionOf(result.failure, english).problems
}

const shownBecause = (reason: Omit<RefusalReason, "path">) =>
  rejectionOf(refusedAt("url", "The URL is refused", reason), english).problems[0]?.message

/** The problem of a URL, as a form shows it. */
const shownForUrl = (url: string, allowHttp = false) => {
  const result = judgeUrl(url, { ...publicOnly, allowHttp })
  if (!Result.isFailure(result)) throw new Error(`${url} is allowed`)
  return shownBecause(result.failure.reason)
}

describe("The problems of a form", () => {
  it("MUST be in an owner's words: names, descriptions, kinds of events and periods", () => {
    expect(shownFor(TokenInput, { name: "" })).toEqual([{ path: "name", message: words.name(255) }])
    expect(
      shownFor(EndpointInput, { url: "a\0", description: "b\0", events: [], headers: { Host: "a" } }).map(
        ({ message }) => message,
      ),
    ).toEqual([words.url(2048), words.events, words.description(255), words.reservedHeader("Host")])
    expect(shownFor(RotationInput, { overlap: Number.NaN })).toEqual([{ path: "overlap", message: words.overlap }])
    const endpoint = { url: "https://erp.example.com", events: ["design.ordered"], headers: { A: "ä" } }
    expect(shownFor(EndpointInput, endpoint)).toEqual([{ path: "headers", message: words.headers }])
    const platform = { domain: "no domain", secret: "a", accessKey: "a", property: "", placed: ["x".repeat(300)] }
    expect(shownFor(PlatformInput, platform).map(({ message }) => message)).toEqual([
      ...[words.domain, words.secret, words.accessKey, words.name(255), words.states],
    ])
  })

  it("MUST be in an owner's words: URLs", () => {
    expect(shownForUrl("erp.example.com")).toBe(words.notAbsolute)
    expect(shownForUrl("http://erp.example.com")).toBe(words.notHttps)
    expect(shownForUrl("ftp://erp.example.com", true)).toBe(words.notHttp)
    expect(shownForUrl("https://me:secret@erp.example.com")).toBe(words.password)
    expect(shownForUrl("https://erp.example.com/#top")).toBe(words.fragment)
    expect(shownForUrl("https://erp.example.com:25")).toBe(words.port("25"))
    expect(shownForUrl(`https://erp.example.com/${"x".repeat(2048)}`)).toBe(words.url(2048))
    for (const host of ["10.0.0.1", "localhost", "erp.internal"]) {
      expect(shownForUrl(`https://${host}`)).toBe(words.notPublic)
    }
    expect(shownBecause({ code: "notFound" })).toBe(words.notFound)
  })

  it("MUST be in an owner's words: what belongs to no field, and MUST keep a message without other words", () => {
    const problems = [{ path: "", message: words.full(5) }]
    expect(rejectionOf(new Conflict({ message: "Full" }), english, words.full(5))).toEqual({ status: 409, problems })
    const plan = new PlanRequired({ message: "Not in the plan" })
    expect(rejectionOf(plan, english).problems[0]?.message).toBe(words.plan)
    const other = new InvalidInput({ message: "Odd", problems: [{ path: "x", message: "Odd" }] })
    expect(rejectionOf(other, english).problems).toEqual([{ path: "x", message: "Odd" }])
  })
})
