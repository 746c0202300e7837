/**
 * A receiver of webhooks for tests: records and verifies every request, gives scripted responses, and counts open
 * requests.
 */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import { Deferred, Effect, type Scope } from "effect"
import { verifyWebhook } from "../../../hosts/receiver/index.ts"

/** A received delivery. */
export interface Received {
  /** Number among the receiver's requests, from 1. The response's body has it, and therefore the attempt in the log. */
  readonly number: number
  /** `/` and the endpoint's name. */
  readonly path: string
  readonly deliveryId: string
  readonly eventId: string
  /** The service name of its worker. */
  readonly worker: string
  readonly body: string
  readonly headers: IncomingHttpHeaders
  /** Whether the path's secret made the signature; `undefined` if the test gave no secret. */
  readonly signed: boolean | undefined
  /** `performance.now()` at its arrival. */
  readonly at: number
  /** Status of the response; `null` before it. */
  readonly status: number | null
  /** Whether its connection closed before the response. */
  readonly abandoned: boolean
}

/** Response to a delivery: a status, at once or when the effect completes. */
export type Answering = (received: Received, receiver: WebhookReceiver) => Effect.Effect<number>

/** A running receiver. */
export interface WebhookReceiver {
  readonly url: (path: string) => string
  /** Sets the secret or secrets of a path for verification. */
  readonly trust: (path: string, secret: string | ReadonlyArray<string>) => void
  /** In the order of their arrival. */
  readonly requests: ReadonlyArray<Received>
  /** Deliveries without a response so far. */
  readonly open: ReadonlySet<Received>
  /** Deliveries with two concurrent requests. */
  readonly overlaps: ReadonlyArray<string>
  /** Waits for a condition, checked when a request arrives, is answered or is abandoned. */
  readonly until: (condition: () => boolean) => Effect.Effect<void>
}

/** Starts a receiver for the lifetime of the scope. */
export const webhookReceiver = (answering: Answering): Effect.Effect<WebhookReceiver, never, Scope.Scope> =>
  Effect.gen(function* () {
    const secrets = new Map<string, string | ReadonlyArray<string>>()
    const requests: Array<Received> = []
    const open = new Set<Received>()
    const overlaps: Array<string> = []
    const watchers = new Set<() => void>()
    const run = Effect.runForkWith(yield* Effect.context())
    const changed = () => {
      for (const watcher of [...watchers]) watcher()
    }

    const take = (path: string, headers: IncomingHttpHeaders, body: string, response: ServerResponse) => {
      const state: { -readonly [K in keyof Received]: Received[K] } = {
        number: requests.length + 1,
        path,
        deliveryId: String(headers["x-service-delivery"]),
        eventId: (JSON.parse(body) as { readonly id: string }).id,
        worker: String(headers["user-agent"]).replace(/-Webhooks\/1\.0$/, ""),
        body,
        headers,
        signed: undefined,
        at: performance.now(),
        status: null,
        abandoned: false,
      }
      const received: Received = state
      for (const other of open) if (other.deliveryId === received.deliveryId) overlaps.push(received.deliveryId)
      requests.push(received)
      open.add(received)
      response.once("close", () => {
        if (!open.delete(received)) return
        state.abandoned = true
        changed()
      })
      const secret = secrets.get(path)
      const verified = secret === undefined ? undefined : verifyWebhook({ secret, headers, body })
      run(
        Effect.gen(function* () {
          if (verified !== undefined) state.signed = (yield* Effect.promise(() => verified)).ok
          const status = yield* answering(received, receiver)
          if (state.abandoned) return
          open.delete(received)
          state.status = status
          response.writeHead(status).end(String(received.number))
          changed()
        }),
      )
      changed()
    }

    const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
      const parts: Array<Buffer> = []
      request.on("data", (part: Buffer) => parts.push(part))
      // A sender that was killed midway has sent nothing.
      request.on("error", () => undefined)
      request.on("end", () => take(request.url ?? "", request.headers, Buffer.concat(parts).toString("utf8"), response))
    })
    const port = yield* Effect.callback<number>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
      })
    })
    yield* Effect.addFinalizer(() =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      }),
    )
    const receiver: WebhookReceiver = {
      url: (path) => `http://127.0.0.1:${port}${path}`,
      trust: (path, secret) => void secrets.set(path, secret),
      requests,
      open,
      overlaps,
      until: (condition) =>
        Effect.callback<void>((resume) => {
          const look = () => {
            if (!condition()) return
            watchers.delete(look)
            resume(Effect.void)
          }
          watchers.add(look)
          look()
          return Effect.sync(() => watchers.delete(look))
        }),
    }
    return receiver
  })

/** Responses that wait for the test's decision. */
export const decided = () => {
  const decisions = new Map<number, Deferred.Deferred<number>>()
  const decision = ({ number }: Received) => {
    const made = decisions.get(number) ?? Deferred.makeUnsafe<number>()
    decisions.set(number, made)
    return made
  }
  const answering: Answering = (received) => Deferred.await(decision(received))
  const decide = (received: Received, status: number): void =>
    void Deferred.doneUnsafe(decision(received), Effect.succeed(status))
  return { answering, decide }
}
