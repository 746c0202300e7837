/** The words for the results of attempts. */
import { describe, expect, it } from "vitest"
import { tlsFaults } from "../../../../core/model/webhooks/TlsFault.ts"
import { english } from "../../texts/English.ts"
import { german } from "../../texts/German.ts"
import { outcomeOf } from "./Outcome.tsx"

const outcome = (error: Parameters<typeof outcomeOf>[0]["error"], durationMs: number) =>
  outcomeOf({ statusCode: null, error, durationMs, responseStart: null }, english)

describe("The outcome of an attempt (D32)", () => {
  it("MUST NOT name a time that has not passed: a refused connection is not a late one", () => {
    expect(outcome("connect", 3)).toBe("The connection was refused, or the host can't be reached")
    expect(outcome("connect", 3_000)).toBe("No connection within 3 seconds")
  })

  it("MUST say which of the two times is over: 3 seconds to connect, with TLS, or 5 seconds in all (D26)", () => {
    expect(outcome("timeout", 3_000)).toBe("The connection was not ready within 3 seconds")
    expect(outcome("timeout", 4_200)).toBe("The connection was not ready within 3 seconds")
    for (const durationMs of [4_998, 5_000, 5_100]) {
      expect(outcome("timeout", durationMs)).toBe("No response within 5 seconds")
    }
  })

  it("MUST say what failed in TLS, in each language", () => {
    const failed = (responseStart: string | null) =>
      ({ statusCode: null, error: "tls", durationMs: 5, responseStart }) as const
    for (const { texts } of [{ texts: english }, german]) {
      const said = Object.values(tlsFaults).map((sentence) => outcomeOf(failed(sentence), texts))
      expect(new Set(said).size).toBe(Object.keys(tlsFaults).length)
      expect(said).not.toContain(texts.deliveries.certificate)
      // An attempt of an earlier version.
      expect(outcomeOf(failed(null), texts)).toBe(texts.deliveries.certificate)
    }
    expect(outcomeOf(failed("The certificate has expired"), german.texts)).toBe("Zertifikat abgelaufen")
  })

  it("MUST be the status code if there is one, and why it is no success", () => {
    const attempt = { number: 1, at: "2026-10-05T14:48:00.000+00:00", responseStart: "", durationMs: 5 }
    expect(outcomeOf({ ...attempt, statusCode: 500, error: null }, english)).toBe("500")
    expect(outcomeOf({ ...attempt, statusCode: 302, error: "redirect" }, english)).toBe(
      "302: Redirects are not followed",
    )
  })
})
