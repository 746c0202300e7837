import type { ServerResponse } from "node:http"
import { type Link, LinkedSet } from "../../core/support/LinkedSet.ts"

/** Memory of a request that waits for its body, in bytes: its head, its connection and the work that waits. */
const perRequest = 64 * 1024

/** Memory of a piece of a body alongside its bytes: a client may send a body in pieces of one byte. */
const perPiece = 512

/** Milliseconds before the rate of a body counts. */
const grace = 1_000

/** Bytes per millisecond, on average since the grace ended: 1 KiB a second. */
const leastRate = 1.024

/** Why a body is given up. */
export type GivenUp = "slow" | "no room"

/** The body of a request that is not answered yet. */
interface Body {
  readonly response: ServerResponse
  readonly address: string | undefined
  readonly since: number
  readonly giveUp: (reason: GivenUp) => void
  /** Bytes of the body that have arrived. */
  arrived: number
  /** Memory that the request takes. */
  held: number
  isWhole: boolean
}

/**
 * The bodies of requests whose callers are known only once the body is read: of shop platforms, by its signature, and
 * of people who sign in. They share a number of bytes, of which one address may hold a quarter. Without room,
 * the oldest body that is still arriving is given up. So are bodies that arrive too slowly: a caller that means it
 * sends its body at once, and always finds room.
 */
export class ArrivingBodies {
  readonly #maximum: number
  readonly #now: () => number
  readonly #bodies = new LinkedSet<Body>()
  readonly #ofAnswers = new WeakMap<ServerResponse, Link<Body>>()
  readonly #byAddress = new Map<string, number>()
  #sum = 0

  /** `now`: milliseconds from any point in time. */
  constructor(maximum: number, now: () => number) {
    this.#maximum = maximum
    this.#now = now
  }

  /**
   * Counts the body of a request until its answer is about to be sent. A request without an address counts only among
   * all. Returns whether the body has room; if not, it was given up.
   */
  begin(response: ServerResponse, address: string | undefined, giveUp: (reason: GivenUp) => void): boolean {
    const body: Body = { response, address, since: this.#now(), giveUp, arrived: 0, held: 0, isWhole: false }
    this.#ofAnswers.set(response, this.#bodies.add(body))
    this.#hold(body, perRequest)
    return this.#ofAnswers.has(response)
  }

  /** A piece of a body has arrived. Returns the bytes that have, 0 if the body was given up. */
  add(response: ServerResponse, length: number): number {
    const body = this.#ofAnswers.get(response)?.value
    if (body === undefined) return 0
    body.arrived += length
    this.#hold(body, length + perPiece)
    return this.#ofAnswers.has(response) ? body.arrived : 0
  }

  /** A body has arrived as a whole, and is not given up any more. Returns whether its request waits for its answer. */
  finish(response: ServerResponse): boolean {
    const body = this.#ofAnswers.get(response)?.value
    if (body === undefined) return false
    body.isWhole = true
    return true
  }

  /** The answer to a request is about to be sent, or nobody waits for it. */
  end(response: ServerResponse): void {
    const link = this.#ofAnswers.get(response)
    if (link === undefined) return
    this.#ofAnswers.delete(response)
    this.#bodies.remove(link)
    const body = link.value
    this.#sum -= body.held
    if (body.address === undefined) return
    const left = (this.#byAddress.get(body.address) ?? 0) - body.held
    if (left > 0) this.#byAddress.set(body.address, left)
    else this.#byAddress.delete(body.address)
  }

  /** Gives up the bodies that arrive too slowly. */
  endSlow(): void {
    const now = this.#now()
    for (const { arrived, giveUp, isWhole, response, since } of this.#bodies) {
      if (isWhole || arrived >= (now - since - grace) * leastRate) continue
      this.end(response)
      giveUp("slow")
    }
  }

  #hold(body: Body, bytes: number): void {
    body.held += bytes
    this.#sum += bytes
    const { address } = body
    if (address !== undefined) {
      const ofOne = () => this.#byAddress.get(address) ?? 0
      this.#byAddress.set(address, ofOne() + bytes)
      this.#makeRoom(
        () => ofOne() > this.#maximum / 4,
        (other) => other.address === address,
      )
    }
    this.#makeRoom(
      () => this.#sum > this.#maximum,
      () => true,
    )
  }

  /** Gives up the oldest of some bodies that are still arriving, until there is room. */
  #makeRoom(isFull: () => boolean, isOfThem: (body: Body) => boolean): void {
    if (!isFull()) return
    for (const body of this.#bodies) {
      if (!isFull()) return
      if (body.isWhole || !isOfThem(body)) continue
      this.end(body.response)
      body.giveUp("no room")
    }
  }
}
