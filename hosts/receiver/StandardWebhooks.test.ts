/** Deliveries that have the headers of Standard Webhooks, alongside the service's own or alone (D41). */
import { createHmac } from "node:crypto"
import { Webhook } from "standardwebhooks"
import { describe, expect, it } from "vitest"
import { type VerifyOptions, verifyWebhook } from "./index.ts"

const secret = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
const other = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="
const seconds = 1_791_211_680
const body =
  '{"id":"evt_1","event":"ping","apiVersion":"2026-10","createdAt":"2026-10-05T14:48:00.000+00:00","shop":"demo.example.com","data":{"message":"♥"},"test":true}'

/** The headers of a delivery, made by the library. */
const standard = (keys: ReadonlyArray<string> = [secret], at = seconds, id = "evt_1") => ({
  "webhook-id": id,
  "webhook-timestamp": String(at),
  "webhook-signature": keys.map((key) => new Webhook(key).sign(id, new Date(at * 1000), body)).join(" "),
})

const own = (key = secret, at = seconds) => ({
  "x-service-delivery": "dlv_1",
  "x-service-timestamp": String(at),
  "x-service-signature": createHmac("sha256", key).update(`${at}.${body}`).digest("hex"),
})

const verify = (more: Partial<VerifyOptions>) =>
  verifyWebhook({ secret, headers: standard(), body, now: seconds * 1000, ...more })

const reasonOf = async (result: ReturnType<typeof verifyWebhook>) => {
  const answer = await result
  return answer.ok ? "ok" : answer.reason
}

describe("A delivery with the headers of Standard Webhooks", () => {
  it("MUST be accepted with them alone, as the library signs it", async () => {
    const event = JSON.parse(body)
    expect(await verify({})).toEqual({ ok: true, event, deliveryId: null, timestamp: seconds })
    expect(await verify({ headers: { ...own(), ...standard() } })).toMatchObject({ ok: true, deliveryId: "dlv_1" })
    expect(await reasonOf(verify({ headers: new Headers(standard()) }))).toBe("ok")
    const upper = Object.fromEntries(Object.entries(standard()).map(([name, value]) => [name.toUpperCase(), value]))
    expect(await reasonOf(verify({ headers: upper }))).toBe("ok")
  })

  it("MUST be accepted with one of several signatures, of any version, and one of several secrets", async () => {
    for (const keys of [
      [secret, other],
      [other, secret],
    ]) {
      expect(await reasonOf(verify({ headers: standard(keys) }))).toBe("ok")
    }
    const later = { ...standard(), "webhook-signature": `v2,x v1a,y ${standard()["webhook-signature"]}` }
    expect(await reasonOf(verify({ headers: later }))).toBe("ok")
    expect(await reasonOf(verify({ secret: [other, secret] }))).toBe("ok")
    expect(await reasonOf(verify({ secret: ["whsec_???", secret] }))).toBe("ok")
    expect(await reasonOf(verify({ secret: secret.slice("whsec_".length) }))).toBe("ok")
  })

  it("MUST be accepted with either secret of a rotation, whichever signs (D40, D41)", async () => {
    const headers = { ...own(secret), ...standard([secret, other]) }
    for (const known of [secret, other]) expect(await reasonOf(verify({ headers, secret: known }))).toBe("ok")
    expect(await reasonOf(verify({ headers, secret: `whsec_${"B".repeat(43)}=` }))).toBe("bad_signature")
  })

  it("MUST be returned with the timestamp of the signature that matches", async () => {
    const headers = { ...own(other, seconds + 1), ...standard([secret], seconds + 2) }
    expect(await verify({ headers })).toMatchObject({ ok: true, timestamp: seconds + 2 })
    expect(await verify({ headers, secret: other })).toMatchObject({ ok: true, timestamp: seconds + 1 })
  })

  it("MUST NOT be accepted with another body, id, timestamp or secret", async () => {
    for (const more of [
      { body: `${body} ` },
      { secret: other },
      { headers: { ...standard(), "webhook-id": "evt_2" } },
      { headers: { ...standard(), "webhook-timestamp": String(seconds + 1) } },
      { headers: { ...own(other), ...standard([other]) } },
    ]) {
      expect(await reasonOf(verify(more))).toBe("bad_signature")
    }
  })

  it("MUST NOT be accepted if it is old, whatever the service's own timestamp says", async () => {
    const old = seconds - 301
    expect(await reasonOf(verify({ headers: standard([secret], old) }))).toBe("stale")
    expect(await reasonOf(verify({ headers: { ...standard([secret], old), ...own(other) } }))).toBe("bad_signature")
    const forged = { ...standard([secret], old), ...own(secret, old), "x-service-timestamp": String(seconds) }
    expect(await reasonOf(verify({ headers: forged }))).toBe("bad_signature")
  })

  it("MUST be refused with the name of the header that is missing or malformed", async () => {
    const { "webhook-id": _, ...withoutId } = standard()
    expect(await verify({ headers: withoutId })).toMatchObject({
      reason: "missing_header",
      message: "The header webhook-id is missing",
    })
    const { "webhook-timestamp": __, ...withoutTimestamp } = standard()
    expect(await verify({ headers: withoutTimestamp })).toMatchObject({
      reason: "missing_header",
      message: "The header webhook-timestamp is missing",
    })
    for (const signature of ["", "v1", "v1,", "v1,short", standard()["webhook-signature"].slice(3), "v1a,x"]) {
      const headers = { ...standard(), "webhook-signature": signature }
      expect(await verify({ headers })).toMatchObject({
        reason: "bad_signature",
        message: "webhook-signature is not a signature of version v1",
      })
    }
    for (const timestamp of ["", "x", "1e9", `${seconds}.5`]) {
      const headers = { ...standard(), "webhook-timestamp": timestamp }
      expect(await reasonOf(verify({ headers }))).toBe("bad_timestamp")
    }
  })

  it("MUST NOT be accepted without a secret, or with an empty one", async () => {
    const signed = createHmac("sha256", "").update(`evt_1.${seconds}.${body}`).digest("base64")
    const headers = { ...standard(), "webhook-signature": `v1,${signed}` }
    for (const none of ["whsec_", "", [], "whsec_???"]) {
      expect(await reasonOf(verify({ headers, secret: none }))).toBe("bad_signature")
    }
  })
})
