/**
 * Reads deliveries from standard input and writes whether the snippet accepts each: its application, or its handler of
 * web requests, answers 204 or 401.
 */
import { type Server, request as send } from "node:http"
import type { AddressInfo } from "node:net"
import process from "node:process"
import { text } from "node:stream/consumers"
import { pathToFileURL } from "node:url"
import type { EncodedDelivery } from "./Snippet.ts"

type Handler = (request: Request) => Response | Promise<Response>

interface Snippet {
  readonly POST?: Handler
  readonly app?: {
    readonly fetch?: Handler
    readonly listen?: {
      (port: number): Server
      (options: { readonly port: number }): Promise<string>
    }
    readonly server?: Server
  }
}

const latin1 = (value: string): string => Buffer.from(value, "base64").toString("latin1")

const headersOf = ({ headers }: EncodedDelivery): Record<string, string> => ({
  "content-type": "application/json",
  ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, latin1(value)])),
})

/** Each secret has an application of its own: a snippet reads it when it is loaded. */
const applications = new Map<string, Promise<(delivery: EncodedDelivery) => Promise<number>>>()

const load = async (secret: string) => {
  process.env["SIGNING_SECRET"] = secret
  const url = pathToFileURL(process.argv[2] ?? "")
  url.search = `${applications.size}`
  const { app, POST }: Snippet = await import(url.href)
  const handler = POST ?? app?.fetch
  if (handler !== undefined) {
    return async (delivery: EncodedDelivery) => {
      const body = Buffer.from(delivery.body, "base64")
      return (
        await handler(new Request("http://receiver.test/hooks", { method: "POST", headers: headersOf(delivery), body }))
      ).status
    }
  }
  const listening =
    app?.server === undefined ? app?.listen?.(0) : await app.listen?.({ port: 0 }).then(() => app.server)
  if (listening === undefined) throw new Error("The snippet exports neither an application nor POST")
  return (delivery: EncodedDelivery) => post(listening, delivery)
}

const post = (server: Server, delivery: EncodedDelivery): Promise<number> =>
  new Promise((resolve, reject) => {
    const { port } = server.address() as AddressInfo
    const options = { port, path: "/hooks", method: "POST", headers: headersOf(delivery) }
    send(options, (response) => resolve(response.resume().statusCode ?? 0))
      .on("error", reject)
      .end(Buffer.from(delivery.body, "base64"))
  })

const log = console.log
console.log = () => undefined
const verdicts: Array<boolean | number> = []
for (const delivery of JSON.parse(await text(process.stdin)) as ReadonlyArray<EncodedDelivery>) {
  const application = applications.get(delivery.secret) ?? load(delivery.secret)
  applications.set(delivery.secret, application)
  Date.now = () => delivery.now * 1000
  const status = await (await application)(delivery)
  verdicts.push(status === 204 ? true : status === 401 ? false : status)
}
log(JSON.stringify(verdicts))
process.exit()
