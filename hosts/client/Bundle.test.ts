/** The client as others bundle it. */
import { fileURLToPath } from "node:url"
import { runInNewContext } from "node:vm"
import { gzipSync } from "node:zlib"
import { type BuildOptions, build } from "esbuild"
import { describe, expect, it } from "vitest"
import type * as Client from "./index.ts"

const bundled = async (options: BuildOptions) => {
  const { metafile, outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("index.ts", import.meta.url))],
    absWorkingDir: fileURLToPath(new URL("../../", import.meta.url)),
    bundle: true,
    platform: "neutral",
    write: false,
    metafile: true,
    ...options,
  })
  return { metafile, text: outputFiles?.[0]?.text ?? "" }
}

describe("The client's module", () => {
  it("MUST weigh less than 4 KB, minified and compressed", async () => {
    const { text } = await bundled({ minify: true, format: "esm" })
    expect(text).toContain("createClient")
    expect(gzipSync(text, { level: 9 }).length).toBeLessThan(4000)
  })

  it("MUST consist of its own folder and import nothing", async () => {
    const { metafile } = await bundled({ format: "esm" })
    expect(Object.keys(metafile?.inputs ?? {}).filter((path) => !path.startsWith("hosts/client/"))).toEqual([])
    expect(Object.values(metafile?.outputs ?? {}).flatMap(({ imports }) => imports)).toEqual([])
  })

  it("MUST use only features that all runtimes have", async () => {
    const { text } = await bundled({ minify: true, format: "iife", globalName: "client" })
    const requested: Array<string> = []
    const fetch = async (url: string) => {
      requested.push(url)
      if (requested.length === 1) return new Response("{}", { status: 503, headers: { "retry-after": "0" } })
      const [id, nextCursor] = requested.length === 2 ? ["1", "c"] : ["2", null]
      return Response.json({ data: [{ id }], pagination: { total: 2, limit: 1, nextCursor } })
    }
    const globals = { URL, URLSearchParams, AbortController, setTimeout, clearTimeout, performance, fetch }
    const { createClient } = runInNewContext(`${text}; client`, globals) as typeof Client
    const ids: Array<string> = []
    for await (const order of createClient({ url: "https://a.example/v1", token: "t" }).orders.list())
      ids.push(order.id)
    expect(ids).toEqual(["1", "2"])
    expect(requested).toEqual([
      "https://a.example/v1/orders",
      "https://a.example/v1/orders",
      "https://a.example/v1/orders?cursor=c",
    ])
  })
})
