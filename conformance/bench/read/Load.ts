import { chunks } from "../support/Chunks.ts"
import type { Cleanup } from "../support/Cleanup.ts"
import { start } from "../support/Processes.ts"

/** A request of the load generator, and the expected body. */
export interface PlannedRequest {
  readonly path: string
  readonly token: string
  readonly body: string
  /** Its `Accept-Encoding`, if any; the body is then bytes as latin1. */
  readonly coding?: string
}

/** A message to the load generator. */
export type LoadMessage =
  | { readonly kind: "prepare"; readonly plan: string; readonly requests: ReadonlyArray<PlannedRequest> }
  | {
      readonly kind: "run"
      readonly plan: string
      readonly port: number
      readonly connections: number
      readonly milliseconds: number
    }

/** The result of one run; times in milliseconds. */
export interface Measured {
  readonly perSecond: number
  readonly requests: number
  readonly failed: number
  /** The first few faults. */
  readonly faults: ReadonlyArray<string>
  readonly p50: number
  readonly p99: number
  /** The share of one processor that the generator itself used. */
  readonly busy: number
}

/** The load generator, in a separate process. */
export interface Load {
  /** Adds requests to a plan. A run sends the requests of a plan in turn, over and over. */
  readonly prepare: (plan: string, requests: ReadonlyArray<PlannedRequest>) => Promise<void>
  /** Fails if any response is not 200 with exactly the expected body. */
  readonly run: (options: Omit<Extract<LoadMessage, { kind: "run" }>, "kind">) => Promise<Measured>
}

/** Starts the load generator. */
export const startLoad = (cleanup: Cleanup): Load => {
  const child = start<LoadMessage>(new URL("./generator.ts", import.meta.url), {}, cleanup)
  return {
    prepare: async (plan, requests) => {
      for (const some of chunks(requests, 5_000)) await child.ask({ kind: "prepare", plan, requests: some })
    },
    run: async (options) => {
      const measured = await child.ask<Measured>({ kind: "run", ...options })
      if (measured.failed > 0) {
        throw new Error(`${measured.failed} wrong answers in ${options.plan}:\n${measured.faults.join("\n")}`)
      }
      return measured
    },
  }
}
