/** Random requests based on the OpenAPI documents; `npm run fuzz` sends 100,000. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { undescribed } from "./Described.ts"
import { fuzz } from "./Fuzz.ts"

describe("Both APIs, under random requests", () => {
  it.live("MUST answer 3,000 of them as the documents describe, without internal errors", () =>
    Effect.gen(function* () {
      const seed = Number(process.env["SEED"] ?? 13)
      console.log(`SEED=${seed} makes these requests again`)
      const { problems, statuses } = yield* fuzz(3_000, seed)
      expect(problems).toEqual([])
      for (const api of ["rest", "manage"]) {
        for (const status of ["200", "400", "401", "404", "405"]) {
          expect([api, status, (statuses[`${api} ${status}`] ?? 0) > 5]).toEqual([api, status, true])
        }
      }
    }),
  )
})

describe("undescribed", () => {
  const headers = { "content-type": "application/json", "x-api-version": "2026-10" }
  const known = { ...headers, ratelimit: "x", "ratelimit-policy": "x" }
  const error = '{"message":"text"}'
  const of = (status: number, text: string, more: Readonly<Record<string, string | undefined>> = {}, method = "GET") =>
    undescribed(method, "/api/v1/orders/1", { status, headers: { ...known, ...more }, text }).join("; ")

  it("MUST find nothing wrong with described responses and foreign addresses", () => {
    expect(of(404, error)).toBe("")
    expect(of(404, "", {}, "HEAD")).toBe("")
    expect(of(405, error, { allow: "GET, HEAD" }, "POST")).toBe("")
    expect(undescribed("GET", "/elsewhere", { status: 200, headers: {}, text: "x" })).toEqual([])
  })

  it("MUST find undescribed statuses, headers, types and bodies", () => {
    expect(of(418, error)).toMatch(/status 418/)
    expect(of(404, error, { "x-powered-by": "x" })).toMatch(/header x-powered-by is not described/)
    expect(of(404, error, { "x-api-version": undefined })).toMatch(/header x-api-version is missing/)
    expect(of(404, error, { "x-api-version": "1" })).toMatch(/header x-api-version: .*constant/)
    expect(of(404, error, { "content-type": "text/html" })).toMatch(/type text\/html/)
    expect(of(404, '{"message":"text","_tag":"x"}')).toMatch(/body: .*additional properties/)
    expect(of(200, "{}")).toMatch(/body: .*required/)
    expect(of(404, error, {}, "HEAD")).toMatch(/HEAD has a body/)
    expect(of(204, "", {}, "POST")).toMatch(/no such operation/)
    expect(of(404, "<html>", {}, "POST")).toMatch(/body of an error/)
  })
})
