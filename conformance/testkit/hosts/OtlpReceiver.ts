/** A receiver of OpenTelemetry's protocol over HTTP, as JSON or protobuf, with every field that tests look at. */
import type { RequestListener } from "node:http"
import { gunzipSync } from "node:zlib"
import { Effect, type Scope } from "effect"
import { listening } from "./Embedded.ts"

/** A span as it was exported. */
export interface ExportedSpan {
  readonly traceId: string
  readonly spanId: string
  /** Empty for the first span of a trace. */
  readonly parentSpanId: string
  readonly name: string
  /** 1 internal, 2 server, 3 client, 4 producer. */
  readonly kind: number
  /** Nanoseconds since 1970. */
  readonly start: bigint
  readonly end: bigint
  readonly attributes: Readonly<Record<string, unknown>>
  readonly links: ReadonlyArray<{ readonly traceId: string; readonly spanId: string }>
  /** 2 for an error. */
  readonly status: number
}

/** What was exported so far. */
export interface OtlpReceiver {
  readonly url: string
  readonly spans: ReadonlyArray<ExportedSpan>
  /** The names of metrics. */
  readonly metrics: ReadonlySet<string>
  readonly logs: ReadonlyArray<{ readonly traceId: string; readonly body: unknown }>
  /** The `service.name` of everything, and the content types of requests. */
  readonly services: ReadonlySet<unknown>
  readonly types: ReadonlySet<string>
  /** Everything that was received, as text, to look for what must not be there. */
  readonly all: () => string
  /** Waits until spans fit, and returns them. */
  readonly until: (fits: (spans: ReadonlyArray<ExportedSpan>) => boolean) => Effect.Effect<ReadonlyArray<ExportedSpan>>
}

type Fields = ReadonlyMap<number, ReadonlyArray<bigint | Buffer>>

/** The fields of a message of protobuf by number: varints and fixed numbers as integers, all else as bytes. */
const fieldsOf = (bytes: Buffer): Fields => {
  const fields = new Map<number, Array<bigint | Buffer>>()
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at++)
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return value
    }
  }
  const take = (length: number) => {
    at += length
    return bytes.subarray(at - length, at)
  }
  while (at < bytes.length) {
    const key = Number(varint())
    const value = [
      varint,
      () => take(8).readBigUInt64LE(),
      () => take(Number(varint())),
      ...[undefined, undefined],
      () => BigInt(take(4).readUInt32LE()),
    ][key & 7]?.()
    if (value === undefined) throw new Error(`A field of protobuf has the wire type ${key & 7}`)
    fields.set(key >> 3, [...(fields.get(key >> 3) ?? []), value])
  }
  return fields
}

/** A message as JSON has it, by the names and kinds of its fields. */
type Shape = Readonly<Record<string, readonly [number, "text" | "hex" | "number" | Shape | (() => Shape), "many"?]>>

const jsonOf = (bytes: Buffer, shape: Shape): Record<string, unknown> => {
  const fields = fieldsOf(bytes)
  return Object.fromEntries(
    Object.entries(shape).flatMap(([name, [number, kind, many]]) => {
      const values = (fields.get(number) ?? []).map((value) => {
        if (kind === "number") return String(value)
        if (kind === "text") return String(value)
        if (kind === "hex") return (value as Buffer).toString("hex")
        return jsonOf(value as Buffer, typeof kind === "function" ? kind() : kind)
      })
      return values.length === 0 ? [] : [[name, many === undefined ? values[0] : values]]
    }),
  )
}

const value = { stringValue: [1, "text"], boolValue: [2, "number"], intValue: [3, "number"] } satisfies Shape
const attributes = [9, { key: [1, "text"], value: [2, value] }, "many"] as const
const resource = [1, { attributes: [1, attributes[1], "many"] }] as const
const link = { traceId: [1, "hex"], spanId: [2, "hex"] } satisfies Shape
const span = {
  ...{ traceId: [1, "hex"], spanId: [2, "hex"], parentSpanId: [4, "hex"], name: [5, "text"], kind: [6, "number"] },
  ...{ startTimeUnixNano: [7, "number"], endTimeUnixNano: [8, "number"], attributes, links: [13, link, "many"] },
  status: [15, { code: [3, "number"] }],
} satisfies Shape
const log = { body: [5, value], traceId: [9, "hex"] } satisfies Shape

const requestOf = (scopes: string, items: string, item: Shape): Shape => {
  const scope: Shape = { [items]: [2, item, "many"] }
  return { resources: [1, { resource, [scopes]: [2, scope, "many"] }, "many"] }
}

const requests: Readonly<Record<string, Shape>> = {
  "/v1/traces": requestOf("scopeSpans", "spans", span),
  "/v1/metrics": requestOf("scopeMetrics", "metrics", { name: [1, "text"] }),
  "/v1/logs": requestOf("scopeLogs", "logRecords", log),
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of a stranger
type Json = any

const valueOf = (given: Json): unknown => {
  const [one] = Object.values(given ?? {})
  return given?.intValue === undefined ? one : Number(one)
}

const attributesOf = (list: ReadonlyArray<Json> = []) =>
  Object.fromEntries(list.map(({ key, value }) => [key, valueOf(value)]))

const spanOf = (given: Json): ExportedSpan => ({
  traceId: given.traceId,
  spanId: given.spanId,
  parentSpanId: given.parentSpanId ?? "",
  name: given.name,
  kind: Number(given.kind),
  start: BigInt(given.startTimeUnixNano),
  end: BigInt(given.endTimeUnixNano),
  attributes: attributesOf(given.attributes),
  links: (given.links ?? []).map(({ spanId, traceId }: Json) => ({ traceId, spanId })),
  status: Number(given.status?.code ?? 0),
})

/** Starts a receiver for the lifetime of the scope. */
export const otlpReceiver: Effect.Effect<OtlpReceiver, never, Scope.Scope> = Effect.gen(function* () {
  const spans: Array<ExportedSpan> = []
  const metrics = new Set<string>()
  const logs: Array<{ readonly traceId: string; readonly body: unknown }> = []
  const services = new Set<unknown>()
  const types = new Set<string>()
  const texts: Array<string> = []
  const listeners = new Set<() => void>()

  const take = (path: string, type: string, body: Buffer) => {
    const shape = requests[path]
    if (shape === undefined) throw new Error(`Nothing is exported to ${path}`)
    types.add(type)
    texts.push(body.toString("latin1"))
    const isJson = type === "application/json"
    const parsed: Json = isJson ? JSON.parse(body.toString()) : jsonOf(body, shape)
    const resources = parsed.resources ?? parsed.resourceSpans ?? parsed.resourceMetrics ?? parsed.resourceLogs ?? []
    for (const one of resources) {
      services.add(attributesOf(one.resource?.attributes)["service.name"])
      for (const scope of one.scopeSpans ?? []) spans.push(...scope.spans.map(spanOf))
      for (const scope of one.scopeMetrics ?? []) for (const { name } of scope.metrics ?? []) metrics.add(name)
      for (const scope of one.scopeLogs ?? []) {
        logs.push(...scope.logRecords.map(({ body, traceId = "" }: Json) => ({ traceId, body: valueOf(body) })))
      }
    }
    for (const listener of [...listeners]) listener()
  }

  const answer: RequestListener = async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    try {
      const isPacked = request.headers["content-encoding"] === "gzip"
      take(request.url ?? "", request.headers["content-type"] ?? "", isPacked ? gunzipSync(body) : body)
      response.writeHead(200).end()
    } catch (error) {
      texts.push(String(error))
      response.writeHead(400).end(String(error))
    }
  }
  return {
    ...{ url: `http://127.0.0.1:${yield* listening(answer)}`, spans, metrics, logs, services, types },
    all: () => texts.join("\n"),
    until: (fits) =>
      Effect.callback((resume) => {
        const look = () => {
          if (!fits(spans)) return
          listeners.delete(look)
          resume(Effect.succeed([...spans]))
        }
        listeners.add(look)
        look()
        return Effect.sync(() => listeners.delete(look))
      }),
  }
})
