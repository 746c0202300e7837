import { answer, type Cleanup, start, stop } from "../read/Processes.ts"

/** When a delivery arrived first, and how often it came. */
export interface Arrival {
  readonly at: number
  readonly times: number
}

/** What the receiver is told. */
export type SinkMessage = { readonly kind: "expect"; readonly deliveries: number } | { readonly kind: "take" }

/** The receiver of all webhooks, in a process of its own. */
export interface Receiver {
  /** `http://…`, without a slash at the end. Under `/hang` it accepts and never answers. */
  readonly url: string
  /** Resolves when so many different deliveries have arrived since the last `take`. */
  readonly expect: (deliveries: number) => Promise<void>
  /** What has arrived, by delivery id; begins anew. */
  readonly take: () => Promise<ReadonlyMap<string, Arrival>>
}

/** Starts the receiver of webhooks that are signed with this secret. */
export const startReceiver = async (secret: string, cleanup: Cleanup): Promise<Receiver> => {
  const child = start(new URL("./sink.ts", import.meta.url).href, { SECRET: secret })
  cleanup.add(() => stop(child))
  const port = await answer<number>(child)
  const ask = <A>(message: SinkMessage): Promise<A> => {
    child.send(message)
    return answer<A>(child)
  }
  return {
    url: `http://127.0.0.1:${port}`,
    expect: async (deliveries) => {
      const told = await ask<string>({ kind: "expect", deliveries })
      if (told !== "arrived") throw new Error(told)
    },
    take: () => ask({ kind: "take" }),
  }
}
