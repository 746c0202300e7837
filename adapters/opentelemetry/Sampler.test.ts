import { Effect, Tracer } from "effect"
import { describe, expect, it } from "vitest"
import { readSampler, sampled } from "./Sampler.ts"

const of = (share: string) => readSampler("traceidratio", share).sampler.root

/** A trace whose random part is a number of 56 bits. */
const trace = (random: bigint) => `00000000000000ab${random.toString(16).padStart(16, "0")}`

describe("A sampler by ratio", () => {
  it.each([
    ["0.25", 3n * 2n ** 54n],
    ["0.5", 2n ** 55n],
    ["0.01", 71_337_018_097_548_656n],
  ])("MUST keep a share of %s of all traces: those whose random part is highest", (share, lowest) => {
    expect([of(share)(trace(lowest - 2n ** 10n)), of(share)(trace(lowest + 2n ** 10n))]).toEqual([false, true])
  })

  it("MUST keep none with a share of 0, and all with 1", () => {
    const [first, last] = [trace(0n), trace(2n ** 56n - 1n)]
    expect([first, last].map(of("0"))).toEqual([false, false])
    expect([first, last].map(of("1"))).toEqual([true, true])
  })

  it.each([
    ["parentbased_traceidratio", "0.1", 0],
    ["jaeger_remote", "0.1", 1],
    ["traceidratio", "2", 1],
    ["constructor", " ", 2],
  ])("MUST warn of values that it does not know: %s with %s", (name, share, warnings) => {
    expect(readSampler(name, share).warnings).toHaveLength(warnings)
  })
})

it.each([[[true, false, false]], [[false, true, false]], [[false, false, true]], [[true, false, true, false]]])(
  "MUST export the traces that are kept, whole, and nothing of the others, in whichever order they come: %j",
  async (kept) => {
    const ended: Array<string> = []
    const exporting = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        const end = span.end.bind(span)
        span.end = (...parameters) => {
          if (span.sampled) ended.push(span.name)
          end(...parameters)
        }
        return span
      },
    })
    const decisions = [...kept]
    const { child } = readSampler("parentbased_always_on").sampler
    const tracer = sampled(exporting, { child, root: () => decisions.shift() ?? false })
    for (const index of kept.keys()) {
      const inner = Effect.withSpan(Effect.void, `inner ${index}`)
      await Effect.runPromise(
        Effect.withSpan(inner, `request ${index}`).pipe(Effect.provideService(Tracer.Tracer, tracer)),
      )
    }
    expect(ended).toEqual(kept.flatMap((isKept, index) => (isKept ? [`inner ${index}`, `request ${index}`] : [])))
  },
)
