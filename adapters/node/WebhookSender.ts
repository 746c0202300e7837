import { Buffer } from "node:buffer"
import { createHash } from "node:crypto"
import type { IncomingHttpHeaders } from "node:http"
import { createSecureContext, getCACertificates, type SecureContext, type SecureContextOptions } from "node:tls"
import { Effect, Layer, Redacted } from "effect"
import { type Dispatcher, errors } from "undici"
import { tlsFaults } from "../../core/model/webhooks/TlsFault.ts"
import {
  type PresentedCertificate,
  type WebhookRequest,
  type WebhookResponse,
  WebhookSender,
} from "../../core/ports/WebhookSender.ts"
import { BoundedMap } from "../../core/support/BoundedMap.ts"
import type { Connection } from "./Connection.ts"
import { dial, type Line, parseTarget, type Target } from "./Dial.ts"
import { Pool } from "./Pool.ts"
import { makeRoute } from "./Proxy.ts"
import { tlsSentence } from "./TlsFaults.ts"

/** Options of the sender. */
export interface SenderOptions {
  /** The most idle connections, to all receivers together. Default: 256. */
  readonly maxIdleConnections?: number
  /** Certificates (PEM) of authorities to trust besides the ones that Node trusts. Default: none. */
  readonly trust?: ReadonlyArray<string>
  /**
   * An HTTP proxy through which every connection is opened, by CONNECT to an approved address:
   * `http://user:password@host:port` or `https:`. A fault of the proxy is a line of the log, once a minute, and the
   * attempt ends with a defect; with `connect` if the proxy refuses the address or can't reach it. Default: none.
   */
  readonly proxy?: Redacted.Redacted<string> | undefined
}

/** {@link WebhookSender} over undici: see `layerSender` of this adapter. */
export const layerWebhookSender = (options: SenderOptions = {}): Layer.Layer<WebhookSender> =>
  Layer.effect(
    WebhookSender,
    Effect.gen(function* () {
      const { maxIdleConnections = 256, proxy, trust = [] } = options
      const trusted = trust.length === 0 ? {} : { ca: [...getCACertificates(), ...trust] }
      const context = createSecureContext(trusted)
      const line = { context, route: yield* makeRoute(proxy, context, "Deliveries are attempted again") }
      const presenting = makePresenting(trusted)
      const pool = yield* Effect.acquireRelease(
        Effect.sync(() => new Pool(maxIdleConnections)),
        (open) => Effect.sync(() => open.close()),
      )
      return {
        send: (request) =>
          Effect.callback<WebhookResponse>((resume) => {
            const attempt = new Attempt(request, pool, { ...line, presenting }, resume)
            attempt.start()
            return Effect.sync(() => attempt.abandon())
          }),
      }
    }),
  )

/** A client certificate as connections present it, and a text that stands for it and its key. */
interface Presenting {
  readonly identity: string
  readonly context: SecureContext
}

/** How many client certificates are remembered, ready for use. */
const maximumCertificates = 1_000

/** Makes the function that gets a client certificate ready. It throws if TLS can't use it. */
const makePresenting = (trusted: SecureContextOptions) => {
  const known = new BoundedMap<string, Presenting>(maximumCertificates)
  return ({ certificate, key }: PresentedCertificate): Presenting => {
    const identity = createHash("sha256")
      .update(JSON.stringify([certificate, Redacted.value(key)]))
      .digest("base64")
    const ready = known.get(identity)
    if (ready !== undefined) return ready
    const context = createSecureContext({ ...trusted, cert: certificate, key: Redacted.value(key) })
    known.set(identity, { identity, context })
    return { identity, context }
  }
}

/** How an attempt opens connections. */
interface AttemptLine extends Line {
  readonly presenting: (certificate: PresentedCertificate) => Presenting
}

/** Characters of a `Retry-After`: a longer one is not a date. */
const longestRetryAfter = 100

const aborted = new errors.RequestAbortedError()

/** One request. Its fiber is never resumed from inside undici's parser, which the next request might then re-enter. */
class Attempt implements Dispatcher.DispatchHandler {
  readonly #request: WebhookRequest
  #target: Target
  readonly #pool: Pool
  #line: AttemptLine
  readonly #resume: (effect: Effect.Effect<WebhookResponse>) => void

  #over = false
  #deadline: NodeJS.Timeout | undefined
  #connecting: NodeJS.Timeout | undefined
  #giveUp: (() => void) | undefined
  #connection: Connection | undefined
  #fresh = false
  /** Set once the request is being written. */
  #controller: Dispatcher.DispatchController | undefined
  #bytes = 0
  #body: Buffer | undefined
  #retryAfter: string | null = null

  constructor(
    request: WebhookRequest,
    pool: Pool,
    line: AttemptLine,
    resume: (effect: Effect.Effect<WebhookResponse>) => void,
  ) {
    this.#request = request
    this.#target = targetOf(request.url)
    this.#pool = pool
    this.#line = line
    this.#resume = resume
  }

  start(): void {
    this.#deadline = setTimeout(() => this.#step(() => this.#fail("timeout")), this.#request.timeout)
    this.#present()
    if (!this.#over) this.#connect()
  }

  /** A certificate that TLS can't use, e.g. because of what OpenSSL was built without, is a fault of its owner's. */
  #present(): void {
    const { clientCertificate } = this.#request
    if (clientCertificate === undefined || !this.#target.secure) return
    try {
      const { context, identity } = this.#line.presenting(clientCertificate)
      this.#line = { ...this.#line, context }
      this.#target = { ...this.#target, identity }
    } catch {
      this.#fail("tls", tlsFaults.certificateUnusable)
    }
  }

  /**
   * Runs what a timer, a socket or undici calls. A defect of ours ends the attempt as one: thrown from there it would
   * end the process, or leave the attempt to its deadline, as if the receiver had not answered.
   */
  #step(step: () => void): void {
    try {
      step()
    } catch (defect) {
      this.#die(defect)
    }
  }

  /** The caller no longer waits. */
  abandon(): void {
    if (this.#over) return
    this.#finish()
    this.#drop()
  }

  #connect(): void {
    const { addresses, connectTimeout, timeout } = this.#request
    const idle = this.#pool.take(this.#target, addresses)
    if (idle !== undefined) {
      this.#use(idle)
      return
    }
    if (connectTimeout < timeout) {
      this.#connecting ??= setTimeout(() => this.#step(() => this.#fail("timeout")), connectTimeout)
    }
    this.#giveUp = dial(this.#target, addresses, this.#line, {
      onOpen: (socket, address) =>
        this.#step(() => {
          clearTimeout(this.#connecting)
          this.#giveUp = () => socket.destroy()
          this.#fresh = true
          const connection = this.#pool.add(this.#target, address, socket)
          this.#giveUp = undefined
          this.#use(connection)
        }),
      onFailure: (error, cause) =>
        this.#step(() => {
          this.#giveUp = undefined
          if (error === "own") this.#die(cause)
          else this.#fail(error, error === "tls" ? tlsSentence(cause) : null)
        }),
    })
  }

  #use(connection: Connection): void {
    this.#connection = connection
    const { headers, body, method = "POST" } = this.#request
    const list = ["accept-encoding", "identity"]
    for (const name in headers) list.push(name, headers[name] ?? "")
    const content = method === "GET" ? null : body
    connection.client.dispatch({ path: this.#target.path, method, headers: list, body: content }, this)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#over) {
      controller.abort(aborted)
      return
    }
    this.#controller = controller
    this.#connection?.await(this.#request.responseLimit)
  }

  onResponseStart(_: Dispatcher.DispatchController, statusCode: number, headers: IncomingHttpHeaders): void {
    if (statusCode < 200) return
    const retryAfter = headers["retry-after"]
    if (typeof retryAfter === "string" && retryAfter.length <= longestRetryAfter) this.#retryAfter = retryAfter
    if (this.#connection !== undefined) this.#connection.statusCode = statusCode
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#over) this.#step(() => this.#keep(chunk))
  }

  /** Keeps a chunk of the response's body, up to the limit. */
  #keep(chunk: Buffer): void {
    const room = this.#request.responseLimit - this.#bytes
    const part = chunk.length > room ? chunk.subarray(0, room) : chunk
    this.#body = this.#body === undefined ? part : Buffer.concat([this.#body, part])
    this.#bytes += part.length
    if (part === chunk) return
    this.#finish()
    this.#drop()
    queueMicrotask(() => this.#respond(withoutTail(this.#body)))
  }

  onResponseEnd(): void {
    if (this.#over) return
    this.#finish()
    setImmediate(() =>
      this.#step(() => {
        // By now undici has closed the connection if the receiver will not reuse it.
        if (this.#connection !== undefined) this.#pool.release(this.#connection)
        this.#respond(this.#body)
      }),
    )
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: Error): void {
    if (this.#over) return
    if (error instanceof errors.InvalidArgumentError) {
      this.#die(error)
      return
    }
    if (this.#controller === undefined && !this.#fresh) {
      // The connection was closed while it was idle, and nothing was written: use another one.
      this.#connection = undefined
      queueMicrotask(() => {
        if (!this.#over) this.#step(() => this.#connect())
      })
      return
    }
    const ofTls = "code" in error && typeof error.code === "string" && /^ERR_(SSL|TLS)_/.test(error.code)
    const http2 = this.#target.secure && this.#connection?.speaksHttp2 === true ? tlsFaults.http2 : null
    const sentence = ofTls ? tlsSentence(error) : http2
    queueMicrotask(() => this.#step(() => this.#fail(sentence === null ? "reset" : "tls", sentence)))
  }

  /** Ends the attempt. If the status line has arrived, it counts as a response, whatever followed it (D90). */
  #fail(error: NonNullable<WebhookResponse["error"]>, responseStart: string | null = null): void {
    if (this.#over) return
    this.#finish()
    const answered = (this.#connection?.statusCode ?? 0) > 0
    this.#drop()
    if (answered) this.#respond(this.#body)
    else this.#resume(Effect.succeed({ statusCode: null, responseStart, retryAfter: null, error }))
  }

  #respond(body: Buffer | undefined): void {
    const statusCode = this.#connection?.statusCode ?? null
    const retryAfter = this.#retryAfter
    this.#resume(Effect.succeed({ statusCode, responseStart: textOf(body), retryAfter, error: null }))
  }

  /** Ends the attempt with a defect: a fault of ours. */
  #die(defect: unknown): void {
    this.#finish()
    let cause = defect
    try {
      this.#drop()
    } catch (second) {
      cause = new AggregateError([defect, second], "The sender failed, and then to close its connection")
    }
    queueMicrotask(() => this.#resume(Effect.die(cause)))
  }

  #finish(): void {
    this.#over = true
    clearTimeout(this.#deadline)
    clearTimeout(this.#connecting)
  }

  /** Closes everything that is open. */
  #drop(): void {
    this.#giveUp?.()
    if (this.#controller !== undefined) this.#controller.abort(aborted)
    else this.#connection?.close()
  }
}

/** Parsed URLs. */
const targets = new BoundedMap<string, Target>(10_000)

const targetOf = (url: string): Target => {
  const known = targets.get(url)
  if (known !== undefined) return known
  const target = parseTarget(url)
  targets.set(url, target)
  return target
}

/** Text that every store can keep: PostgreSQL can't store NUL. */
const textOf = (body: Buffer | undefined): string => {
  if (body === undefined) return ""
  const text = body.toString("utf8")
  return text.includes("\0") ? text.replaceAll("\0", "") : text
}

/** Cuts off an incomplete character at the end, whose rest is beyond the limit. */
const withoutTail = (body: Buffer | undefined): Buffer | undefined => {
  if (body === undefined) return undefined
  for (let back = 1; back <= 3 && back <= body.length; back++) {
    const byte = body[body.length - back] ?? 0
    if (byte < 0x80) return body
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return back < length ? body.subarray(0, body.length - back) : body
    }
  }
  return body
}
