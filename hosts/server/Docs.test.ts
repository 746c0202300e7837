/** The pages and documents that everyone may read: `/docs`, `/manage/docs`, `/openapi.json`, `/manage/openapi.json`. */
import { createHash } from "node:crypto"
import { request as httpRequest, type IncomingHttpHeaders } from "node:http"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Layer, Scope } from "effect"
import { afterAll, beforeAll } from "vitest"
import { inProcess, memory, serve } from "../../conformance/testkit/hosts/TestHost.ts"

const opened = Effect.gen(function* () {
  const { ports } = yield* memory.open
  const port = yield* serve(yield* Layer.build(ports))
  return (method: string, path: string, headers: Readonly<Record<string, string>> = {}) =>
    Effect.callback<{ readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer }>(
      (resume) => {
        const request = httpRequest({ host: "127.0.0.1", port, method, path, headers, agent: false }, (response) => {
          const parts: Array<Buffer> = []
          response.on("data", (part: Buffer) => parts.push(part))
          response.on("end", () =>
            resume(
              Effect.succeed({
                status: response.statusCode ?? 0,
                headers: response.headers,
                body: Buffer.concat(parts),
              }),
            ),
          )
        })
        request.end()
      },
    )
})

type Get = Effect.Success<typeof opened>

/** One host for all tests: it compresses pages and documents once. */
const scope = Scope.makeUnsafe()
let get: Get
beforeAll(async () => {
  get = await Effect.runPromise(Scope.provide(opened, scope))
})
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const pages = ["/docs", "/manage/docs"]
const documents = ["/openapi.json", "/manage/openapi.json"]

const read = { br: brotliDecompressSync, gzip: gunzipSync, identity: (body: Buffer) => body }

describe("Public documentation", () => {
  it.live("MUST be sent in the coding that the client accepts, brotli before gzip, with a strong tag for each", () =>
    Effect.gen(function* () {
      for (const path of [...pages, ...documents]) {
        const plain = yield* get("GET", path)
        const tags = new Map<string, unknown>()
        for (const [accepted, coding] of [
          [undefined, "identity"],
          ["", "identity"],
          ["identity", "identity"],
          ["deflate, zstd", "identity"],
          ["br;q=0, gzip;q=0", "identity"],
          ["*;q=0", "identity"],
          ["gzip", "gzip"],
          ["GZIP;q=0.5", "gzip"],
          ["br;q=0, *", "gzip"],
          ["gzip, deflate, br", "br"],
          ["gzip;q=1.0, br;q=0.1", "gzip"],
          ["*", "br"],
        ] as const) {
          const answer = yield* get("GET", path, accepted === undefined ? {} : { "accept-encoding": accepted })
          const what = [path, accepted]
          expect([what, answer.status, answer.headers["content-encoding"] ?? "identity"]).toEqual([what, 200, coding])
          expect(answer.headers["content-length"]).toBe(String(answer.body.length))
          expect(answer.headers["vary"]).toBe("Accept-Encoding")
          expect(read[coding](answer.body).equals(plain.body)).toBe(true)
          expect(answer.headers["etag"]).toMatch(/^"[\w-]+"$/)
          expect(tags.get(coding) ?? answer.headers["etag"]).toBe(answer.headers["etag"])
          tags.set(coding, answer.headers["etag"])
        }
        expect(new Set(tags.values()).size).toBe(3)
      }
    }),
  )

  it.live("MUST be compressed to at most a third of a page's size", () =>
    Effect.gen(function* () {
      for (const path of pages) {
        const plain = (yield* get("GET", path)).body.length
        for (const coding of ["br", "gzip"]) {
          const { body } = yield* get("GET", path, { "accept-encoding": coding })
          expect([path, coding, body.length * 3 < plain]).toEqual([path, coding, true])
        }
      }
    }),
  )

  it.live("MUST be cacheable by anyone for a while, and then cost no more than a 304", () =>
    Effect.gen(function* () {
      for (const path of [...pages, ...documents]) {
        for (const coding of ["br", "gzip", "identity"]) {
          const { headers } = yield* get("GET", path, { "accept-encoding": coding })
          const known = { "accept-encoding": coding, "if-none-match": headers.etag ?? "" }
          expect(headers["cache-control"]).toMatch(/^public, max-age=\d+$/)
          for (const method of ["GET", "HEAD"]) {
            const answer = yield* get(method, path, known)
            expect([path, coding, answer.status, answer.body.length]).toEqual([path, coding, 304, 0])
            for (const name of ["etag", "cache-control", "vary"]) expect(answer.headers[name]).toBe(headers[name])
          }
          expect((yield* get("GET", path, { ...known, "if-none-match": '"other"' })).status).toBe(200)
        }
      }
    }),
  )

  it.live("MUST answer HEAD with the same headers and no body", () =>
    Effect.gen(function* () {
      for (const path of [...pages, ...documents]) {
        const { headers } = yield* get("GET", path, { "accept-encoding": "br" })
        const head = yield* get("HEAD", path, { "accept-encoding": "br" })
        expect([path, head.status, head.body.length]).toEqual([path, 200, 0])
        for (const name of ["content-type", "content-length", "content-encoding", "etag", "cache-control", "vary"]) {
          expect([path, name, head.headers[name]]).toEqual([path, name, headers[name]])
        }
      }
    }),
  )

  it.live("MUST allow a page only its own scripts, no other host, and no frame around it", () =>
    Effect.gen(function* () {
      for (const path of pages) {
        const { body, headers } = yield* get("GET", path)
        expect(headers["x-content-type-options"]).toBe("nosniff")
        const policy = new Map(
          String(headers["content-security-policy"])
            .split("; ")
            .map((directive) => [directive.split(" ", 1)[0], directive.split(" ").slice(1)] as const),
        )
        const html = body.toString("utf8")
        const scripts = [...html.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/g)]
        const hashes = scripts.map(([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`)
        expect(hashes.length).toBeGreaterThan(0)
        expect(scripts.every(([element]) => element.startsWith("<script>"))).toBe(true)
        expect(policy.get("script-src")).toEqual(hashes)
        for (const name of ["default-src", "base-uri", "form-action", "frame-ancestors"]) {
          expect([name, policy.get(name)]).toEqual([name, ["'none'"]])
        }
        const sources = [...policy.values()].flat()
        expect(sources.filter((source) => /[*.]|https?:|unsafe-eval/.test(source))).toEqual([])
      }
    }),
  )

  it.live("MUST have no pages if it is turned off, but keep the documents (hosts/cli/README.md)", () =>
    Effect.gen(function* () {
      const { ports } = yield* memory.open
      const send = yield* inProcess(ports, { docs: false })
      for (const path of pages) {
        const answer = yield* send("GET", path)
        expect([path, answer.status, answer.json]).toEqual([path, 404, { message: "There is nothing at this address" }])
      }
      for (const path of documents) expect([path, (yield* send("GET", path)).status]).toEqual([path, 200])
    }),
  )
})
