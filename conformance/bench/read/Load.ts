import { answer, type Cleanup, start, stop } from "./Processes.ts"

/** A request that the load generator makes, and the body that it must get. */
export interface PlannedRequest {
  readonly path: string
  readonly token: string
  readonly body: string
}

/** What the load generator is told. */
export type LoadMessage =
  | { readonly kind: "prepare"; readonly plan: string; readonly requests: ReadonlyArray<PlannedRequest> }
  | {
      readonly kind: "run"
      readonly plan: string
      readonly port: number
      readonly connections: number
      readonly milliseconds: number
    }

/** What one run showed; times in milliseconds. */
export interface Measured {
  readonly perSecond: number
  readonly requests: number
  readonly failed: number
  /** The first few things that went wrong. */
  readonly faults: ReadonlyArray<string>
  readonly p50: number
  readonly p99: number
  /** The share of one processor that the generator itself used. */
  readonly busy: number
}

/** The load generator, in a process of its own. */
export interface Load {
  /** Adds requests to those of a plan, which are sent in turn, over and over. */
  readonly prepare: (plan: string, requests: ReadonlyArray<PlannedRequest>) => Promise<void>
  /** Fails if any answer was not 200 with exactly the expected body. */
  readonly run: (options: Omit<Extract<LoadMessage, { kind: "run" }>, "kind">) => Promise<Measured>
}

/** Starts the load generator. */
export const startLoad = (cleanup: Cleanup): Load => {
  const child = start("./generator.ts", {})
  cleanup.add(() => stop(child))
  const ask = <A>(message: LoadMessage): Promise<A> => {
    child.send(message)
    return answer<A>(child)
  }
  return {
    prepare: async (plan, requests) => {
      for (let first = 0; first < requests.length; first += 5_000) {
        await ask({ kind: "prepare", plan, requests: requests.slice(first, first + 5_000) })
      }
    },
    run: async (options) => {
      const measured = await ask<Measured>({ kind: "run", ...options })
      if (measured.failed > 0) {
        throw new Error(`${measured.failed} wrong answers in ${options.plan}:\n${measured.faults.join("\n")}`)
      }
      return measured
    },
  }
}
