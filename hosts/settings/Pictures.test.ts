/** The archive of all pictures of an order (D69). */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { IpNetwork } from "effect/net"
import { shopInput } from "../../conformance/suites/service/Samples.ts"
import { signedIn } from "../../conformance/testkit/browsers/Browser.ts"
import { hrefs, mug, order, withMug } from "../../conformance/testkit/browsers/MugShop.ts"
import {
  keptAlive,
  manage,
  memory,
  onHosts,
  sender,
  serve,
  TestHost,
} from "../../conformance/testkit/hosts/TestHost.ts"

type Respond = (response: ServerResponse, path: string) => void

/** A server of pictures, and what it was asked. */
const pictureServer = Effect.fnUntraced(function* (respond: Respond) {
  const asked: Array<{ readonly path: string; readonly response: ServerResponse }> = []
  const server = createServer((request: IncomingMessage, response) => {
    const path = decodeURIComponent(request.url ?? "")
    asked.push({ path, response })
    respond(response, path)
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => new Promise<void>((done) => server.listen(0, "127.0.0.1", done))),
    () =>
      Effect.promise(() => {
        server.closeAllConnections()
        return new Promise((done) => server.close(done))
      }),
  )
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
})

/** The files of an archive by its central directory; none is compressed. */
const unzipped = (bytes: Uint8Array): ReadonlyMap<string, Buffer> => {
  const zip = Buffer.from(bytes)
  const end = zip.lastIndexOf("PK\x05\x06", undefined, "latin1")
  const files = new Map<string, Buffer>()
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [size, name, extra, comment] = [
      zip.readUInt32LE(at + 24),
      zip.readUInt16LE(at + 28),
      zip.readUInt16LE(at + 30),
      zip.readUInt16LE(at + 32),
    ]
    const local = zip.readUInt32LE(at + 42)
    const begin = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    files.set(zip.toString("utf8", at + 46, at + 46 + name), zip.subarray(begin, begin + size))
    at += 46 + name + extra + comment
  }
  return files
}

const ofViews = {
  ...mug,
  steps: ["front", "back"].map((view) => ({ id: view, title: view, view })),
  questions: [
    ...mug.questions.map((one) => ({ ...one, step: "front" })),
    { id: "logo", step: "back", title: "Logo", type: "upload", max: 2 },
  ],
}

/** A host that may reach this machine, a shop with pictures there, and a browser of its owner. */
const world = Effect.fnUntraced(function* (respond: Respond) {
  const { ports } = yield* TestHost
  const pictures = yield* pictureServer(respond)
  const webhookPolicy = { allowNetworks: [IpNetwork.fromStringUnsafe("127.0.0.0/8")], allowHttp: true }
  const port = yield* serve(ports, { webhookPolicy })
  const send = sender(port, yield* keptAlive)
  const shop = yield* withMug(send, ofViews)
  yield* manage(send, "PUT", `/shops/${shop}`, { ...shopInput, imageBase: pictures.url })
  const browser = yield* signedIn(send, shop)
  const headers = { cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ") }
  const download = (id: string, signal?: AbortSignal) =>
    fetch(`http://127.0.0.1:${port}/settings/${shop}/orders/${id}/pictures.zip`, {
      headers,
      redirect: "manual",
      ...(signal === undefined ? {} : { signal }),
    })
  return { pictures, send, shop, browser, download, port }
})

const filesOf = (response: Response) => Effect.promise(async () => unzipped(await response.bytes()))

/** Bytes without end, slowly. */
const dribble = (response: ServerResponse) => {
  response.writeHead(200).write("begin")
  const timer = setInterval(() => response.write("."), 20)
  response.on("close", () => clearInterval(timer))
}

const eventually = (isSo: () => boolean | Promise<boolean>) =>
  Effect.promise(async () => {
    while (!(await isSo())) await new Promise((done) => setTimeout(done, 10))
  })

onHosts("The download of all pictures of an order", [memory], (it) => {
  it.effect("MUST hold each picture and upload under a name of order, line, design and view (D69)", () =>
    Effect.gen(function* () {
      const { browser, download, pictures, send, shop } = yield* world((response, path) => response.end(`<${path}>`))
      const logo = `${pictures.url}/uploads/logo.svg?size=1`
      const selection = { colour: "red", name: { text: "Ada" }, logo: [logo, "upload-17"] }
      yield* order(send, shop, { id: "1", name: "#1/ü:", designs: 2, selection })
      for (const page of ["orders/1", "orders/1/ticket"]) {
        const { text } = yield* browser.open(`/settings/${page}`)
        expect(hrefs(text, "../").filter((href) => href.endsWith("orders/1/pictures.zip"))).toHaveLength(1)
      }
      const response = yield* Effect.promise(() => download("1"))
      expect(response.headers.get("content-type")).toBe("application/zip")
      expect(response.headers.get("content-disposition")).toContain("filename*=UTF-8''%231_%C3%BC_.zip")
      const files = yield* filesOf(response)
      const texts = [...files].map(([name, bytes]) => [name, bytes.toString()])
      expect(texts).toEqual(
        [0, 1].flatMap((at) => [
          [`#1_ü_/line ${at} 1 design ${at} front.png`, `</designs/1 design ${at}/front.png>`],
          [`#1_ü_/line ${at} 1 design ${at} back.png`, `</designs/1 design ${at}/back.png>`],
          [`#1_ü_/line ${at} 1 design ${at} logo.svg`, "</uploads/logo.svg?size=1>"],
        ]),
      )
      expect((yield* Effect.promise(() => download("none"))).status).toBe(404)
    }),
  )

  it.effect("MUST name each picture that is not there, or not whole, with the reason, and hold the others (D69)", () =>
    Effect.gen(function* () {
      const { download, send, shop } = yield* world((response, path) => {
        if (path.includes("0/front")) response.writeHead(404).end()
        else if (path.includes("0/back")) response.writeHead(302, { location: "/elsewhere" }).end()
        else if (path.includes("1/front")) {
          response.writeHead(200, { "content-length": 100 }).write("half")
          setTimeout(() => response.destroy(), 50)
        } else response.end("whole")
      })
      yield* order(send, shop, { id: "1", designs: 2 })
      const files = yield* filesOf(yield* Effect.promise(() => download("1")))
      expect([...files.keys()]).toEqual([
        "#1/line 1 1 design 1 front.png",
        "#1/line 1 1 design 1 back.png",
        "not-fetched.txt",
      ])
      expect(files.get("#1/line 1 1 design 1 back.png")?.toString()).toBe("whole")
      const lines = files.get("not-fetched.txt")?.toString().split("\r\n") ?? []
      expect(lines.filter((line) => line.startsWith("#1"))).toEqual([
        "#1/line 0 1 design 0 front.png: its server answered 404",
        "#1/line 0 1 design 0 back.png: its server answered 302",
        "#1/line 1 1 design 1 front.png: its server ended the answer in the middle; the file in the archive ends too early",
      ])
    }),
  )

  it.effect("MUST connect to no address that webhooks may not be sent to (D36, D69)", () =>
    Effect.gen(function* () {
      const { pictures, send, shop } = yield* world((response) => response.end("secret"))
      yield* order(send, shop, { id: "1" })
      const { send: onlyPublic } = yield* TestHost
      const browser = yield* signedIn(onlyPublic, shop)
      const { text } = yield* browser.open("/settings/orders/1/pictures.zip")
      expect(text).toContain("not-fetched.txt")
      expect(text).toContain("its address must be https and public")
      expect(text).not.toContain("secret")
      expect(pictures.asked).toEqual([])
    }),
  )

  it.effect("MUST end the request for a picture when its reader leaves, and ask for no other (D69)", () =>
    Effect.gen(function* () {
      const { download, pictures, send, shop } = yield* world(dribble)
      yield* order(send, shop, { id: "1", designs: 3 })
      const leaving = new AbortController()
      const response = yield* Effect.promise(() => download("1", leaving.signal))
      yield* Effect.promise(async () => response.body?.getReader().read())
      leaving.abort()
      yield* eventually(() => pictures.asked.every(({ response }) => response.destroyed))
      expect(pictures.asked).toHaveLength(1)
    }),
  )

  it.effect("MUST refuse a download while four are under way, and no longer (D69)", () =>
    Effect.gen(function* () {
      const { download, send, shop } = yield* world(dribble)
      yield* order(send, shop, { id: "1" })
      const leaving = new AbortController()
      for (let at = 0; at < 4; at++) {
        const { body } = yield* Effect.promise(() => download("1", leaving.signal))
        yield* Effect.promise(async () => body?.getReader().read())
      }
      const refused = yield* Effect.promise(() => download("1"))
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "60"])
      expect(yield* Effect.promise(() => refused.text())).toContain("As many downloads of pictures are under way")
      leaving.abort()
      yield* eventually(async () => {
        const { body, status } = await download("1")
        await body?.cancel()
        return status === 200
      })
    }),
  )

  it.effect("MUST be for those who may see the order only (D69)", () =>
    Effect.gen(function* () {
      const { pictures, port, send, shop } = yield* world((response) => response.end("secret"))
      yield* order(send, shop, { id: "1" })
      const response = yield* Effect.promise(() =>
        fetch(`http://127.0.0.1:${port}/settings/${shop}/orders/1/pictures.zip`, { redirect: "manual" }),
      )
      expect([response.status, response.headers.get("location")?.includes("sign-in")]).toEqual([303, true])
      expect(pictures.asked).toEqual([])
    }),
  )
})
