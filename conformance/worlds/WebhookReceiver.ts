/** A receiver of webhooks for tests: keeps every request, verifies it, answers as the test says, and tells what is open. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import { Deferred, Effect, type Scope } from "effect"
import { verifyWebhook } from "../../hosts/receiver/index.ts"

/** A delivery as it came in. */
export interface Received {
  /** Of the receiver's requests, from 1: what the answer's body says, and so what an attempt in the log says. */
  readonly number: number
  /** `/` and the name under which the endpoint was given out. */
  readonly path: string
  readonly deliveryId: string
  readonly eventId: string
  /** The service name that its worker goes by. */
  readonly worker: string
  readonly body: string
  readonly headers: IncomingHttpHeaders
  /** Whether the signature is that of the path's secret; `undefined` while the test has told none. */
  readonly signed: boolean | undefined
  /** `performance.now()` at its arrival. */
  readonly at: number
  /** The status that it was answered with; `null` before. */
  readonly status: number | null
  /** Whether its connection closed before it was answered. */
  readonly abandoned: boolean
}

/** What becomes of a delivery: a status, at once or when the effect says. */
export type Answering = (received: Received, receiver: WebhookReceiver) => Effect.Effect<number>

/** A receiver at work. */
export interface WebhookReceiver {
  readonly url: (path: string) => string
  /** Tells the secret of a path, or several, to verify with. */
  readonly trust: (path: string, secret: string | ReadonlyArray<string>) => void
  /** In the order of their arrival. */
  readonly requests: ReadonlyArray<Received>
  /** Those that wait for their answer. */
  readonly open: ReadonlySet<Received>
  /** Deliveries of which two requests were open at the same time. */
  readonly overlaps: ReadonlyArray<string>
  /** Waits until a condition holds; it is looked at whenever a request comes, is answered or is abandoned. */
  readonly until: (condition: () => boolean) => Effect.Effect<void>
}

/** Starts a receiver, which lasts as long as the scope. */
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
      // A sender that is killed in the middle has sent nothing.
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

/** Answers that wait until the test has decided. */
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
