/** A mounted REST API behind proxies that change or keep paths. */
import { type RequestListener, request } from "node:http"
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import express from "express"
import { listening, prefix, webHandler } from "../../../conformance/testkit/hosts/Embedded.ts"
import {
  bodyOf,
  type Json,
  keptAlive,
  memory,
  newDesign,
  newOrder,
  newShop,
  onHosts,
  sender,
  TestHost,
} from "../../../conformance/testkit/hosts/TestHost.ts"
import { toNodeHandler } from "./index.ts"

/** Forwards requests to another port, with another path. */
const proxy =
  (port: () => number, rewritten: (path: string) => string): RequestListener =>
  (incoming, outgoing) => {
    const { headers, method, url = "/" } = incoming
    const passed = request({ host: "127.0.0.1", port: port(), method, path: rewritten(url), headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.pipe(outgoing)
    })
    incoming.pipe(passed)
  }

onHosts("A mounted REST API behind a proxy", [memory], (it) => {
  for (const [name, at, rewritten, tells] of [
    ["keeps paths", prefix, (path: string) => path, false],
    ["strips the beginning of paths", `/shop${prefix}`, (path: string) => path.replace(/^\/shop/, ""), true],
    ["gives it another path", "/designs", (path: string) => path.replace(/^\/designs/, prefix), true],
    ["gives it the root", "", (path: string) => `${prefix}${path}`, true],
  ] as const) {
    it.effect(`MUST have working links and a working document if the proxy ${name}`, () =>
      Effect.gen(function* () {
        const { ports, send } = yield* TestHost
        const shop = yield* newShop(send)
        for (const index of [1, 2, 3]) {
          yield* newDesign(send, shop, `d-${index}`)
          yield* newOrder(send, shop, `o-${index}`, [`d-${index}`], `2026-10-05T14:48:0${index}Z`)
        }
        let port = 0
        const front = yield* listening(proxy(() => port, rewritten))
        const origin = `http://127.0.0.1:${front}`
        const web = yield* webHandler(ports, tells ? { publicUrl: `${origin}${at}` } : {})
        port = yield* listening(express().use(toNodeHandler(web)))
        const browse = sender(front, yield* keptAlive)
        const get = (address: URL) =>
          browse("GET", `${address.pathname}${address.search}`, { headers: { authorization: `Bearer ${shop.token}` } })

        const documentAt = new URL(`${origin}${at}/openapi.json`)
        const document = yield* bodyOf(200, yield* get(documentAt))
        const [path] = Object.keys(document["paths"] as Json)
        const [server] = (document["servers"] ?? [{ url: "/" }]) as ReadonlyArray<{ readonly url: string }>
        const base = new URL(server?.url ?? "", documentAt).href.replace(/\/$/, "")
        let page = new URL(`${base}${path}?limit=1`)
        expect(page.pathname).toBe(`${at}/orders`)
        const found: Array<unknown> = []
        for (;;) {
          const answer = yield* get(page)
          const { data } = yield* bodyOf(200, answer)
          for (const { id } of data as ReadonlyArray<Json>) found.push(id)
          const link = /^<([^>]*)>; rel="next"$/.exec(answer.headers["link"] ?? "")?.[1]
          if (link === undefined) break
          page = new URL(link, page)
        }
        expect(found).toEqual(["o-3", "o-2", "o-1"])
      }),
    )
  }
})
