/** The limit on wrong manage keys. */
import { Context } from "effect"

/** In any span of `window` milliseconds. */
export interface FailedKeyLimit {
  /** Wrong keys from one address. */
  readonly each: number
  /** Wrong keys from all addresses together. Beyond it, one wrong key is enough for an address. */
  readonly together: number
  readonly window: number
}

/** The limit of a host: 10 wrong keys a minute from one address, 100 from all. `null` lifts it. */
export const KeyLimit = Context.Reference<FailedKeyLimit | null>("designwire/manage/KeyLimit", {
  defaultValue: () => ({ each: 10, together: 100, window: 60_000 }),
})

/** Beyond this number of addresses, the ones that failed longest ago are forgotten. */
const capacity = 10_000

/** Counts wrong keys by the address that they came from; times in milliseconds. */
export interface FailedKeys {
  /** Milliseconds until a key from an address is compared again, or 0. */
  readonly wait: (address: string, now: number) => number
  readonly add: (address: string, now: number) => void
}

export const makeFailedKeys = ({ each, together, window }: FailedKeyLimit): FailedKeys => {
  /** The times of the latest wrong keys, oldest first; addresses in the order in which they failed last. */
  const byAddress = new Map<string, ReadonlyArray<number>>()
  let all: ReadonlyArray<number> = []
  const within = (times: ReadonlyArray<number>, now: number) => times.filter((time) => time > now - window)
  return {
    wait: (address, now) => {
      const times = within(byAddress.get(address) ?? [], now)
      const limit = within(all, now).length < together ? each : 1
      const leaves = times[times.length - limit]
      return leaves === undefined ? 0 : leaves + window - now
    },
    add: (address, now) => {
      all = [...within(all, now), now].slice(-together)
      const times = [...within(byAddress.get(address) ?? [], now), now].slice(-each)
      byAddress.delete(address)
      byAddress.set(address, times)
      const [oldest] = byAddress.keys()
      if (byAddress.size > capacity && oldest !== undefined) byAddress.delete(oldest)
    },
  }
}
