import { Tracer } from "effect"
import { expect, it } from "vitest"
import { readTraceContext, traceContextOf, traceHeaders } from "./TraceContext.ts"

const ids = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" }
const traceparent = `00-${ids.traceId}-${ids.spanId}-01`
const span = Tracer.externalSpan({ ...ids, sampled: true })

it("MUST write the context of a span as W3C Trace Context does, and read it again (D70)", () => {
  expect(traceContextOf(span)).toBe(traceparent)
  expect(traceContextOf(span, "a=1,b=2")).toBe(`${traceparent} a=1,b=2`)
  expect(readTraceContext(`${traceparent} a=1,b=2`)).toEqual({ span: expect.objectContaining(ids), state: "a=1,b=2" })
  const dropped = Tracer.externalSpan({ ...ids, sampled: false })
  expect(traceContextOf(dropped)).toBe(traceparent.replace(/01$/, "00"))
  expect(readTraceContext(traceContextOf(dropped))?.span.sampled).toBe(false)
  expect(readTraceContext(traceparent)?.span.sampled).toBe(true)
})

it.each([
  ["none", null],
  ["an empty one", ""],
  ["capital letters", traceparent.toUpperCase()],
  ["an id of zeros", traceparent.replace(ids.traceId, "0".repeat(32))],
  ["a span of zeros", traceparent.replace(ids.spanId, "0".repeat(16))],
  ["another version", traceparent.replace(/^00/, "ff")],
  ["a part too many", `${traceparent}-00`],
  ["a part too few", traceparent.slice(0, -3)],
  ["a line break", `${traceparent}\n`],
])("MUST ignore a malformed traceparent: %s (D70)", (_, context) => {
  expect(readTraceContext(context)).toBeUndefined()
})

it.each(["", " a=1", "ü=1", "a=1\r\nb: 2", "a=1\0", "a".repeat(513)])(
  "MUST drop a malformed tracestate: %j (D70)",
  (state) => {
    expect(traceHeaders(span, state)).toEqual({ traceparent })
    expect(traceContextOf(span, state)).toBe(traceparent)
    expect(readTraceContext(`${traceparent} ${state}`)?.state).toBeUndefined()
  },
)

it("MUST have no context for a span without ids, as some tracers make", () => {
  const nothing = Tracer.externalSpan({ traceId: "0".repeat(32), spanId: "0".repeat(16), sampled: false })
  expect(traceContextOf(nothing)).toBeNull()
})
