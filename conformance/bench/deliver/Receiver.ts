import type { Cleanup } from "../support/Cleanup.ts"
import { start } from "../support/Processes.ts"

/** The first arrival of a delivery in milliseconds since 1970, and its number of arrivals. */
export interface Arrival {
  readonly at: number
  readonly times: number
}

/** A message to the receiver. */
export type SinkMessage = { readonly kind: "expect"; readonly deliveries: number } | { readonly kind: "take" }

/** The receiver of all webhooks, in a separate process. */
export interface Receiver {
  /**
   * `http://…` without a trailing slash. `/hang` accepts and never answers, `/drip` answers a byte per second, `/late`
   * answers 500 after 4.9 s, `/some` answers 500 to one in 50, each path below `/once` to its first request. `/soon`
   * answers 200 after 100 ms.
   */
  readonly url: string
  /** Resolves when this many different deliveries have arrived since the last `take`. */
  readonly expect: (deliveries: number) => Promise<void>
  /** Arrivals since the last `take`, by delivery id. */
  readonly take: () => Promise<ReadonlyMap<string, Arrival>>
}

/** Starts a receiver of webhooks signed with this secret. */
export const startReceiver = async (secret: string, cleanup: Cleanup): Promise<Receiver> => {
  const child = start<SinkMessage>(new URL("./sink.ts", import.meta.url), { SECRET: secret }, cleanup)
  const port = await child.answer<number>()
  return {
    url: `http://127.0.0.1:${port}`,
    expect: async (deliveries) => {
      const told = await child.ask<string>({ kind: "expect", deliveries })
      if (told !== "arrived") throw new Error(told)
    },
    take: () => child.ask({ kind: "take" }),
  }
}
