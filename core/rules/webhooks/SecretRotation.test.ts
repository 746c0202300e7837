/** Which secret of a rotation applies when (D40). */
import { describe, expect, it } from "vitest"
import type { SigningSecrets } from "../../model/webhooks/Endpoint.ts"
import { at, promote, rotate, signedWith, signingSecret } from "./SecretRotation.ts"

const until = 1_000_000

const alone: SigningSecrets = { secret: "old", secretSince: null, rotation: null }
const running: SigningSecrets = { ...alone, rotation: { secret: "new", until } }
const promotedAt = (secretSince: number): SigningSecrets => ({ secret: "new", secretSince, rotation: null })

describe("The secret that signs", () => {
  it("MUST be the old one until the rotation ends, and the new one from that millisecond on (D40)", () => {
    expect([0, until - 1, until, until + 1].map((now) => signingSecret(running, now))).toEqual([
      "old",
      "old",
      "new",
      "new",
    ])
    expect(signingSecret(alone, until)).toBe("old")
  })
})

describe("The secrets at an instant", () => {
  it("MUST be both while the rotation runs, and only the new one afterwards", () => {
    expect(at(running, until - 1)).toEqual(running)
    expect(at(running, until)).toEqual(promotedAt(until))
    expect(at(alone, until)).toEqual(alone)
  })
})

describe("Rotating", () => {
  it("MUST keep the old secret and give the new one a time", () => {
    expect(rotate(alone, { secret: "new", now: 0, until })).toEqual(running)
  })

  it("MUST replace a new secret that does not sign yet, and keep one that does as the old one", () => {
    const again = { secret: "newer", until: 2 * until }
    expect(rotate(running, { ...again, now: until - 1 })).toEqual({ ...alone, rotation: again })
    expect(rotate(running, { ...again, now: until })).toEqual({ ...promotedAt(until), rotation: again })
  })

  it("MUST leave only the new secret if it signs at once", () => {
    for (const before of [alone, running]) {
      for (const soon of [5, 4]) {
        expect(rotate(before, { secret: "new", now: 5, until: soon })).toEqual(promotedAt(5))
      }
    }
  })
})

describe("Promoting", () => {
  it("MUST leave only the new secret, from now or from the end of the rotation", () => {
    expect(promote(running, 5)).toEqual(promotedAt(5))
    expect(promote(running, until + 5)).toEqual(promotedAt(until))
  })

  it("MUST change nothing if there is nothing to promote, or it was promoted before", () => {
    expect(promote(alone, 5)).toEqual(alone)
    expect(promote(promote(running, 5), 6)).toEqual(promotedAt(5))
  })
})

describe("The secret that an attempt was signed with", () => {
  it("MUST be known if no secret was replaced, and during a rotation that ends by time", () => {
    expect(signedWith(alone, 0)).toBe("old")
    expect([0, until - 1, until].map((began) => signedWith(running, began))).toEqual(["old", "old", "new"])
  })

  it("MUST be unknown for attempts before the secret began to sign, or claimed by a worker before that", () => {
    expect([0, 999, 1_000, 60_999].map((began) => signedWith(promotedAt(1_000), began))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect(signedWith(promotedAt(1_000), 61_000)).toBe("new")
  })
})
