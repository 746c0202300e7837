import { type Standing, standingOf } from "../../../model/Health.ts"
import type { Claim, ClaimRequest, NamedShops } from "../../../ports/DeliveryQueue.ts"

/** Shops that a claim names for each standing: more than most claims need, and few enough to send with each. */
const namedAtOnce = 64

/** How many of the shops that signals named last are remembered. */
const heardAtMost = 1_000

/** How many deliveries of each standing a claim may return. */
export type Room = Readonly<Record<Standing, number>>

/**
 * The shops that may have something to claim, in turn, separately for each standing of their endpoints, so that no kind
 * of endpoint takes the turns of another (D45).
 */
export class ShopTurns {
  /** For each shop, the number of the claim after which it was last added. */
  readonly #turns: Readonly<Record<Standing, Map<string, number>>> = {
    newcomer: new Map(),
    troubled: new Map(),
    proven: new Map(),
  }
  /** Shops that signals have named, the last one last, until a claim has found what they have of newcomers. */
  readonly #heard = new Set<string>()
  #claims = 0

  /** Adds shops behind the others; those that have a turn keep it. */
  add(shops: Iterable<string>): void {
    for (const shop of shops) for (const turns of Object.values(this.#turns)) turns.set(shop, this.#claims)
  }

  /** Adds shops that a signal has named. Their newcomers come before others half of the time, the last named first. */
  hear(shops: Iterable<string>): void {
    for (const shop of shops) {
      this.#heard.add(shop)
      const [oldest] = this.#heard
      if (this.#heard.size > heardAtMost && oldest !== undefined) this.#heard.delete(oldest)
    }
    this.add(shops)
  }

  /** Whether a claim with this room would name a shop. */
  isDue(room: Room): boolean {
    return Object.entries(this.#turns).some(([standing, turns]) => turns.size > 0 && room[standing as Standing] > 0)
  }

  /** The shops that a claim with this room names. {@link found} has to follow before the next claim. */
  next(room: Room): NamedShops {
    this.#claims++
    const named = (standing: Standing) => (room[standing] > 0 ? firstOf(this.#turns[standing].keys(), namedAtOnce) : [])
    return { newcomer: this.#withHeard(named("newcomer")), troubled: named("troubled"), proven: named("proven") }
  }

  /**
   * The shops whose turn it is, and those named last, in turn: a new endpoint must not wait until a thousand others
   * have been tried, nor they until no endpoint is new.
   */
  #withHeard(shops: ReadonlyArray<string>): ReadonlyArray<string> {
    const heard = [...this.#heard].reverse()
    const isFirst = this.#claims % 2 === 0
    const both = shops.flatMap((shop, index) => {
      const last = heard[index] ?? shop
      return isFirst ? [last, shop] : [shop, last]
    })
    return [...new Set(both)].slice(0, namedAtOnce)
  }

  /**
   * Ends the turns of the named shops with what the claim found. If it was full, only those of which it has deliveries;
   * they get a new turn behind the others.
   */
  found(
    { limit, probation, shops }: Pick<ClaimRequest, "limit" | "probation" | "shops">,
    claims: ReadonlyArray<Claim>,
  ) {
    const of = (standing: Standing) => claims.filter((claim) => standingOf(claim) === standing)
    const [newcomer, troubled, proven] = [of("newcomer"), of("troubled"), of("proven")]
    const unproven = Math.min(limit, probation.limit)
    const forTroubled = Math.min(probation.troubled, unproven - newcomer.length)
    this.#end("newcomer", shops.newcomer, newcomer, unproven)
    this.#end("troubled", shops.troubled, troubled, forTroubled)
    this.#end("proven", shops.proven, proven, limit - newcomer.length - troubled.length)
  }

  #end(standing: Standing, named: ReadonlyArray<string>, claims: ReadonlyArray<Claim>, limit: number): void {
    const turns = this.#turns[standing]
    const served = new Set(claims.map(({ shop }) => shop))
    const isFull = claims.length >= limit
    for (const shop of named) {
      if (isFull && !served.has(shop)) continue
      const addedMeanwhile = turns.get(shop) === this.#claims
      turns.delete(shop)
      if (standing === "newcomer" && !addedMeanwhile) this.#heard.delete(shop)
      // A claim with room left has found everything of proven endpoints.
      if (addedMeanwhile || (served.has(shop) && (isFull || standing !== "proven"))) turns.set(shop, this.#claims)
    }
  }
}

/** The first of what there may be very many of. */
const firstOf = <A>(all: Iterable<A>, count: number): ReadonlyArray<A> => {
  const some: Array<A> = []
  for (const each of all) {
    if (some.length === count) break
    some.push(each)
  }
  return some
}
