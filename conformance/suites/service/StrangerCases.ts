import { createHmac } from "node:crypto"
import { connect, type Socket } from "node:net"
import { Effect, type Scope } from "effect"
import { AssertionFailed, equal } from "../Assertion.ts"
import { newShop } from "./Filling.ts"
import { shopInput } from "./Samples.ts"
import { Driver, type Platform, ShopPlatform, withStrangers } from "./ServiceCase.ts"

/** More than a service should work at for callers that it does not know. */
const many = 300

/**
 * Opens a request whose body never arrives. A request on the same connection, which the service answers first, shows
 * that it has read the head.
 */
const slowBody = (url: URL, localAddress: string): Effect.Effect<void, AssertionFailed, Scope.Scope> => {
  const { host, hostname, pathname, port } = url
  const head = (method: string, headers: string) => `${method} ${pathname} HTTP/1.1\r\nhost: ${host}\r\n${headers}\r\n`
  const failed = (reason: string) =>
    Effect.fail(new AssertionFailed({ message: `A connection from ${localAddress} ${reason}` }))
  return Effect.acquireRelease(
    Effect.callback<Socket, AssertionFailed>((resume) => {
      const socket = connect({ host: hostname, port: Number(port), localAddress })
      socket.once("data", () => resume(Effect.succeed(socket)))
      socket.once("error", ({ message }) => resume(failed(`failed: ${message}`)))
      socket.once("close", () => resume(failed("was closed before its first request was answered")))
      socket.write(`${head("GET", "")}${head("POST", "content-length: 2000000\r\n")}{`)
    }),
    (socket) => Effect.sync(() => socket.destroy()),
  ).pipe(Effect.asVoid)
}

/** Sends an event of the platform, and returns the status of the answer. */
const sendSigned = Effect.fnUntraced(function* ({ secret, url }: Platform, shop: string) {
  const body = JSON.stringify({ id: 1, line_items: [] })
  const response = yield* Effect.tryPromise({
    try: () =>
      fetch(url(shop), {
        method: "POST",
        body,
        headers: {
          "content-type": "application/json",
          "x-shopify-topic": "orders/create",
          "x-shopify-hmac-sha256": createHmac("sha256", secret).update(body).digest("base64"),
        },
      }),
    catch: (cause) => new AssertionFailed({ message: `A signed webhook got no answer: ${String(cause)}` }),
  })
  yield* Effect.promise(() => response.arrayBuffer())
  return response.status
})

/** Signed webhooks and changes are answered alongside many bodies that do not arrive. */
const besideSlowBodies = (addressesOf: (platform: Platform) => ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const platform = yield* ShopPlatform
    const driver = yield* Driver
    const { id } = yield* newShop()
    const url = new URL(platform.url(id))
    const addresses = addressesOf(platform)
    const count = { length: many }
    yield* Effect.forEach(
      Array.from(count, (_, index) => addresses[index % addresses.length] as string),
      (address) => slowBody(url, address),
      { concurrency: 50, discard: true },
    )
    for (let round = 1; round <= 5; round++) {
      yield* equal(`signed webhook ${round} alongside ${many} slow bodies`, yield* sendSigned(platform, id), 200)
      yield* driver.putShop({ shop: id, input: shopInput })
    }
  })

/** Strangers that hold what others need: D46a. */
export const strangerCases = withStrangers([
  {
    id: "strangers.bodies-of-one",
    title: "MUST take signed webhooks and changes while one address sends hundreds of bodies that do not arrive",
    requirements: ["D46a"],
    run: besideSlowBodies(({ addresses }) => [addresses.one]),
  },
  {
    id: "strangers.bodies-of-many",
    title: "MUST take signed webhooks and changes while many addresses send bodies that do not arrive",
    requirements: ["D46a"],
    run: besideSlowBodies(({ addresses }) => addresses.others),
  },
])
