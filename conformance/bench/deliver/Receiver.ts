import type { Cleanup } from "../support/Cleanup.ts"
import { start } from "../support/Processes.ts"

/** When a delivery arrived first, in milliseconds since 1970, and how often it arrived. */
export interface Arrival {
  readonly at: number
  readonly times: number
}

/** A message to the receiver. */
export type SinkMessage = { readonly kind: "expect"; readonly deliveries: number } | { readonly kind: "take" }

/** The receiver of all webhooks, in a process of its own. */
export interface Receiver {
  /** `http://…`, without a slash at the end. Under `/hang` it accepts and never answers, under `/drip` it answers a byte a second, under `/late` with 500 after 4.9 s, under `/some` one of 50 with 500. */
  readonly url: string
  /** Resolves when so many different deliveries have arrived since the last `take`. */
  readonly expect: (deliveries: number) => Promise<void>
  /** What has arrived since the last `take`, by delivery id. */
  readonly take: () => Promise<ReadonlyMap<string, Arrival>>
}

/** Starts the receiver of webhooks that are signed with this secret. */
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
