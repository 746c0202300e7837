import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { type DnsAnswer, dnsServer } from "../../conformance/suites/sender/DnsServer.ts"
import { examineNameServers } from "./NameServers.ts"

/** The sentence about a name server with these answers. */
const examine = Effect.fnUntraced(function* (respond: (name: string) => DnsAnswer) {
  const { address } = yield* dnsServer((type, name) => (type === "A" ? respond(name) : []))
  return yield* examineNameServers({ servers: [address], hostsFile: null })
}, Effect.scoped)

const publicAddress: DnsAnswer = [["A", "203.0.113.7"]]

it.live("doctor MUST accept name servers that know public names and no others", () =>
  Effect.gen(function* () {
    const found = yield* examine((name) => (name.endsWith(".invalid") ? "NXDOMAIN" : publicAddress))
    expect(found).toEqual({ isPublic: true, sentence: "answers" })
  }),
)

it.live("doctor MUST say if name servers answer but know no public name", () =>
  Effect.gen(function* () {
    expect(yield* examine(() => "NXDOMAIN")).toEqual({
      isPublic: false,
      sentence:
        "answers, but example.com could not be found: there is no such name; the name has no addresses. " +
        "Webhooks reach only hosts whose names it knows",
    })
    const failing = yield* examine((name) => (name.endsWith(".invalid") ? "NXDOMAIN" : "SERVFAIL"))
    expect(failing.sentence).toContain("example.com could not be found: the DNS server failed")
  }),
)

it.live("doctor MUST fail if name servers answer for a name that does not exist, or do not answer", () =>
  Effect.gen(function* () {
    const { message } = yield* Effect.flip(examine(() => publicAddress))
    expect(message).toBe("answers 203.0.113.7 for a name that does not exist: endpoints may lead elsewhere")
    const failing = yield* Effect.flip(examine(() => "SERVFAIL"))
    expect(failing.message).toBe("does not answer (ESERVFAIL): no endpoint's host will be found")
  }),
)
