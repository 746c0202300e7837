/** Starting, delivering and stopping. */
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { promisify } from "node:util"
import { describe, expect, it, onTestFinished } from "vitest"
import { ringInput, shopInput } from "../../conformance/suites/service/Samples.ts"
import {
  embed,
  emptyDatabase,
  encryptionKeys,
  fill,
  orderOf,
  receiver,
} from "../../conformance/testkit/hosts/EmbedWorld.ts"
import { decided } from "../../conformance/testkit/workers/WebhookReceiver.ts"
import { type Designwire, Unavailable } from "./index.ts"

const run = promisify(execFile)

/** Creates an endpoint for `design.ordered` at a URL. */
const endpoint = async ({ webhooks }: Designwire, url: string) => (await webhooks.create("acme", { url })).id

const order = async ({ designs, orders }: Designwire, id: string) => {
  await designs.save("acme", `d-${id}`, ringInput)
  await orders.place("acme", id, orderOf(`d-${id}`))
}

describe("start", () => {
  it("MUST deliver orders placed in this process at once, and orders placed before", async () => {
    const designwire = await embed({ serviceName: "Acme" })
    await fill(designwire)
    const receiving = await receiver()
    await endpoint(designwire, receiving.url("/hook"))
    await order(designwire, "1")
    await designwire.start()
    await receiving.until(() => receiving.requests.length === 1)
    await order(designwire, "2")
    await receiving.until(() => receiving.requests.length === 2)
    expect(receiving.requests[0]?.worker).toBe("Acme")
  })

  it("MUST run one worker, however often it is called", async () => {
    const designwire = await embed({ concurrency: 1 })
    await fill(designwire)
    const { answering, decide } = decided()
    const receiving = await receiver(answering)
    await endpoint(designwire, receiving.url("/hook"))
    await order(designwire, "1")
    await order(designwire, "2")
    await Promise.all([designwire.start(), designwire.start()])
    await designwire.start()
    await receiving.until(() => receiving.requests.length === 1)
    // Another worker would look at once.
    await setTimeout(500)
    expect(receiving.requests.length).toBe(1)
    const [first] = receiving.requests
    if (first === undefined) throw new Error("No request")
    decide(first, 200)
    await receiving.until(() => receiving.requests.length === 2)
    expect(first.status).toBe(200)
  })
})

describe("stop", () => {
  it("MUST finish and settle the attempts under way, and begin no others", async () => {
    const database = { url: await emptyDatabase() }
    const designwire = await embed({ database, concurrency: 1 })
    await designwire.migrate()
    await fill(designwire)
    const { answering, decide } = decided()
    const receiving = await receiver(answering)
    const id = await endpoint(designwire, receiving.url("/hook"))
    await designwire.start()
    await order(designwire, "1")
    await receiving.until(() => receiving.requests.length === 1)
    await order(designwire, "2")
    const stopped = designwire.stop()
    const [first] = receiving.requests
    if (first === undefined) throw new Error("No request")
    decide(first, 200)
    await stopped
    expect(receiving.requests).toHaveLength(1)

    const next = await embed({ database })
    const log = await next.webhooks.deliveries("acme", id)
    expect(log.map(({ attempts, status }) => [status, attempts.length])).toEqual([
      ["pending", 0],
      ["succeeded", 1],
    ])
  })

  it("MUST wait for calls under way", async () => {
    const designwire = await embed()
    const put = designwire.shops.put("acme", shopInput)
    await designwire.stop()
    expect(await put).toMatchObject({ id: "acme" })
  })

  it("MUST end a drain once its attempts are settled", async () => {
    const designwire = await embed()
    await fill(designwire)
    const { answering, decide } = decided()
    const receiving = await receiver(answering)
    await endpoint(designwire, receiving.url("/hook"))
    await order(designwire, "1")
    const drained = designwire.drain({ max: 100, seconds: 3600 })
    await receiving.until(() => receiving.requests.length === 1)
    const stopped = designwire.stop()
    const [first] = receiving.requests
    if (first === undefined) throw new Error("No request")
    decide(first, 200)
    await expect(drained).rejects.toBeInstanceOf(Unavailable)
    await stopped
    expect(first).toMatchObject({ status: 200, abandoned: false })
  })

  it("MUST be possible before the start, and twice", async () => {
    const designwire = await embed()
    await Promise.all([designwire.stop(), designwire.stop()])
    await designwire.stop()
    const started = await embed()
    await started.start()
    await started.stop()
    await started.stop()
  })

  it("MUST make later calls fail as Unavailable, and answer requests 503", async () => {
    const designwire = await embed()
    await designwire.shops.list()
    await designwire.stop()
    for (const call of [
      () => designwire.shops.list(),
      () => designwire.orders.cancel("acme", "1"),
      () => designwire.start(),
      () => designwire.drain({ max: 1, seconds: 1 }),
      () => designwire.migrate(),
      () => designwire.pendingSql(),
    ]) {
      await expect(call()).rejects.toThrow(new Unavailable("Designwire was stopped"))
    }
    designwire.wake()
    const answer = await designwire.handler(new Request("http://host/api/v1/orders"))
    expect([answer.status, answer.headers.get("x-api-version")]).toEqual([503, "2026-10"])
    expect(await answer.json()).toEqual({ message: expect.any(String) })
    expect((await designwire.handler(new Request("http://host/elsewhere"))).status).toBe(404)
    expect(await designwire.respond(new Request("http://host/elsewhere"))).toBeUndefined()
  })
})

describe("drain", () => {
  it("MUST begin no more attempts than it may", async () => {
    const designwire = await embed()
    await fill(designwire)
    const receiving = await receiver()
    await endpoint(designwire, receiving.url("/hook"))
    for (const id of ["1", "2", "3"]) await order(designwire, id)
    expect(await designwire.drain({ max: 2, seconds: 50 })).toEqual({ attempts: 2, succeeded: 2 })
    expect(await designwire.drain({ max: 2, seconds: 50 })).toEqual({ attempts: 1, succeeded: 1 })
  })
})

describe("An embedded database", () => {
  it("MUST be refused to a second service with a sentence, until the first has stopped", async () => {
    const directory = join(mkdtempSync(join(tmpdir(), "designwire-embed-")), "data")
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
    const first = await embed({ database: { directory } })
    expect(await first.migrate()).toEqual([])
    expect(await first.pendingSql()).toBe("")
    await first.shops.put("acme", shopInput)
    const second = await embed({ database: { directory } })
    await expect(second.shops.list()).rejects.toThrow(/is in use by another process/)
    await first.stop()
    expect((await second.shops.list()).map(({ id }) => id)).toEqual(["acme"])
  })
})

describe("A process", () => {
  const program = (lines: string) =>
    run(process.execPath, [
      "--input-type=module",
      "--eval",
      `import { createDesignwire } from ${JSON.stringify(new URL("index.ts", import.meta.url).href)}
const encryptionKeys = ${JSON.stringify(encryptionKeys)}
${lines}`,
    ])

  it("MUST end on its own if nothing was called", async () => {
    await program(`await createDesignwire({ database: { url: "postgres://127.0.0.1:1/none" }, encryptionKeys })
await createDesignwire({ database: { directory: "/nowhere" }, encryptionKeys })`)
  })

  it("MUST deliver without packages other than effect and undici", async () => {
    const { stdout } = await program(`import { registerHooks } from "node:module"
const allowed = /^(?:[.]|file:|node:|data:|(?:effect|undici)(?:\\/|$))/
registerHooks({
  resolve: (specifier, context, next) => {
    if (allowed.test(specifier) || context.parentURL.includes("/node_modules/")) return next(specifier, context)
    throw Object.assign(new Error(specifier), { code: "ERR_MODULE_NOT_FOUND" })
  },
})
const designwire = await createDesignwire({ database: { memory: true }, encryptionKeys })
console.log(JSON.stringify(await designwire.drain({ max: 1, seconds: 10 })))
await designwire.stop()`)
    expect(JSON.parse(stdout)).toEqual({ attempts: 0, succeeded: 0 })
  })

  it("MUST end on its own after the stop", async () => {
    await program(`const designwire = await createDesignwire({ database: { memory: true }, encryptionKeys })
await designwire.start()
await designwire.stop()`)
  })
})
