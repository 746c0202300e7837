import type { Claim, ClaimRequest, NamedShops, Settlement } from "../../../ports/DeliveryQueue.ts"
import { isSuccess } from "../../../rules/webhooks/DeliveryState.ts"
import { proves } from "../../../rules/webhooks/EndpointState.ts"
import { newcomerShare, probationSlots, slotShare } from "../../../rules/webhooks/SlotShare.ts"
import { BusyEndpoints } from "../../../support/BusyEndpoints.ts"
import type { Room } from "./ShopTurns.ts"
import type { WorkerOptions } from "./WorkerOptions.ts"

/** How much a worker may claim of each shop and endpoint alongside the claims that it has (D45). */
export class ClaimLimits {
  readonly #busy = new BusyEndpoints()
  readonly #perEndpoint: number
  readonly #share: number
  /** The most claims of endpoints in trouble. */
  readonly #troubledShare: number
  /** Claims whose endpoints were not proven when they were claimed. */
  #probation = 0
  /** Of these, claims whose endpoints were in trouble. */
  #troubled = 0
  /** Claims whose attempts have left their slots: they have left their part of the shares as well. */
  readonly #left = new Set<Claim>()
  /** Whether the store has been asked for claims, within limits that attempts may have left meanwhile. */
  #isClaiming = false

  constructor({ concurrency, perEndpoint }: Pick<WorkerOptions, "concurrency" | "perEndpoint">) {
    this.#perEndpoint = perEndpoint
    this.#share = slotShare(concurrency)
    this.#troubledShare = this.#share - newcomerShare(concurrency)
  }

  /** How many claims there is room for, by standing, if there is room for any. */
  get room(): Room {
    const unproven = Math.max(0, this.#share - this.#probation)
    const troubled = Math.min(unproven, Math.max(0, this.#troubledShare - this.#troubled))
    return { newcomer: unproven, troubled, proven: this.#perEndpoint }
  }

  /** The limits of the next claim, which names these shops and ends with {@link add}. */
  begin(shops: NamedShops): Pick<ClaimRequest, "perShop" | "perEndpoint" | "probation" | "busy"> {
    this.#isClaiming = true
    const { newcomer, troubled } = this.room
    return {
      perShop: this.#share,
      perEndpoint: this.#perEndpoint,
      probation: { limit: newcomer, troubled, perEndpoint: probationSlots },
      busy: this.#busy.list(Object.values(shops).flat()),
    }
  }

  /** Counts new claims. */
  add(claims: ReadonlyArray<Claim>): void {
    this.#isClaiming = false
    for (const claim of claims) {
      this.#busy.add(claim)
      this.#count(claim, 1)
    }
  }

  /**
   * Counts claims whose attempts have left their slots towards the limits of their endpoints and shops only. So it
   * returns no shops.
   */
  leave(claims: ReadonlyArray<Claim>): ReadonlyArray<never> {
    for (const claim of claims) {
      this.#left.add(claim)
      this.#count(claim, -1)
    }
    return []
  }

  /**
   * Counts the end of claims. Returns the shops that were at their limit, or had an endpoint that was: more of them can
   * be claimed now. While a claim is under way, any of these shops may be at the limits with which that claim began.
   */
  remove(claims: ReadonlyArray<Claim>): ReadonlyArray<string> {
    return claims.flatMap((claim) => this.#remove(claim, claim.proven))
  }

  /** Like {@link remove}, after attempts were settled. A failed or slow attempt lowers the limit of its endpoint. */
  settle(batch: ReadonlyArray<Settlement>): ReadonlyArray<string> {
    return batch.flatMap(({ attempt, claim }) => {
      const isProof = proves({ success: isSuccess(attempt), durationMs: attempt.durationMs })
      return this.#remove(claim, claim.proven && isProof)
    })
  }

  #remove(claim: Claim, proven: boolean): ReadonlyArray<string> {
    const limit = proven ? this.#perEndpoint : probationSlots
    const isBounded = claim.options.maxConcurrent !== null
    const wasAtLimit =
      isBounded || this.#busy.ofEndpoint(claim) >= limit || this.#busy.ofShop(claim.shop) >= this.#share
    if (this.#busy.remove(claim) && !this.#left.delete(claim)) this.#count(claim, -1)
    return wasAtLimit || this.#isClaiming ? [claim.shop] : []
  }

  #count({ proven, troubled }: Claim, change: 1 | -1): void {
    if (!proven) this.#probation += change
    if (troubled) this.#troubled += change
  }
}
