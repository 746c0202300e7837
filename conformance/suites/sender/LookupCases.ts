import { Effect, Fiber } from "effect"
import { HostLookup } from "../../../core/ports/HostLookup.ts"
import { equal, failsWith, some } from "../Assertion.ts"
import { type DnsAnswer, type DnsServer, dnsServer } from "./DnsServer.ts"
import { eventually } from "./Receiver.ts"
import { calling, type ListedCase, LookupAt } from "./SenderCase.ts"

/** Starts a DNS server and a lookup that asks it. */
const lookupAt = Effect.fnUntraced(function* (respond: (type: "A" | "AAAA", name: string) => DnsAnswer) {
  const server: DnsServer = yield* dnsServer(respond)
  const open = yield* LookupAt
  const lookup = (name: string) =>
    Effect.map(
      Effect.flatMap(HostLookup, (hosts) => hosts.lookup(name)),
      (addresses) => addresses.toSorted(),
    )
  return { server, lookup, hosts: open(server.address) }
})

/** A case of names and the result for each: addresses in any order, or `null` for a failure. */
const finds = (
  id: string,
  title: string,
  respond: (type: "A" | "AAAA", name: string) => DnsAnswer,
  expected: Readonly<Record<string, ReadonlyArray<string> | null>>,
): ListedCase => ({
  id: `lookup.${id}`,
  title,
  requirements: ["D35", "D36"],
  run: Effect.gen(function* () {
    const { lookup, hosts } = yield* lookupAt(respond)
    yield* Effect.gen(function* () {
      for (const [name, addresses] of Object.entries(expected)) {
        if (addresses === null) yield* failsWith(name, "LookupFailed", lookup(name))
        else yield* equal<ReadonlyArray<string>>(name, yield* lookup(name), addresses)
      }
    }).pipe(Effect.provide(hosts))
  }),
})

/** The contract of `HostLookup`. */
export const lookupCases = calling("HostLookup")([
  finds(
    "all",
    "MUST find all addresses of a name, IPv4 and IPv6",
    (type, name) => {
      if (type === "A")
        return name.startsWith("six")
          ? []
          : [
              ["A", "203.0.113.7"],
              ["A", "10.0.0.1"],
            ]
      return name.startsWith("four") ? [] : [["AAAA", "2001:db8::7"]]
    },
    {
      "both.shop.example": ["10.0.0.1", "2001:db8::7", "203.0.113.7"],
      "four.shop.example": ["10.0.0.1", "203.0.113.7"],
      "six.shop.example": ["2001:db8::7"],
    },
  ),
  finds(
    "alias",
    "MUST follow aliases to their addresses, even internal ones",
    (type, name) =>
      type === "A"
        ? [
            ["CNAME", "edge.example"],
            ["CNAME", "internal.example"],
            ["A", "169.254.169.254"],
          ]
        : name === "alias.shop.example"
          ? [
              ["CNAME", "edge.example"],
              ["CNAME", "internal.example"],
              ["AAAA", "::1"],
            ]
          : [],
    { "alias.shop.example": ["169.254.169.254", "::1"] },
  ),
  finds(
    "none",
    "MUST fail for a name without an address",
    (_, name) =>
      name.startsWith("no.") ? "NXDOMAIN" : name.startsWith("alias.") ? [["CNAME", "nowhere.example"]] : [],
    { "no.shop.example": null, "empty.shop.example": null, "alias.shop.example": null },
  ),
  finds(
    "half",
    "MUST return one address family if the server fails for the other",
    (type) => (type === "A" ? [["A", "203.0.113.7"]] : "SERVFAIL"),
    { "shop.example": ["203.0.113.7"] },
  ),
  {
    id: "lookup.half.silent",
    title:
      "MUST return one address family if the server is silent about the other, with 3 of 5 seconds left to connect",
    requirements: ["§6-19", "D26", "D36"],
    run: Effect.gen(function* () {
      const { lookup, hosts } = yield* lookupAt((type, name) =>
        (type === "A") === name.startsWith("four") ? [[type, type === "A" ? "203.0.113.7" : "2001:db8::7"]] : "silence",
      )
      const inTime = (name: string) =>
        Effect.flatMap(Effect.timeoutOption(lookup(name), "2 seconds"), (found) => some(name, found))
      const [four, six] = yield* Effect.provide(
        Effect.all([inTime("four.shop.example"), inTime("six.shop.example")], { concurrency: 2 }),
        hosts,
      )
      yield* equal("from a server that is silent about IPv6", four, ["203.0.113.7"])
      yield* equal("from a server that is silent about IPv4", six, ["2001:db8::7"])
    }),
  },
  finds("failed", "MUST fail if the server fails", () => "SERVFAIL", { "shop.example": null }),
  finds("localhost", "MUST find loopback addresses for localhost without asking", () => [["A", "203.0.113.7"]], {
    "shop.localhost": ["127.0.0.1", "::1"],
  }),
  {
    id: "lookup.interrupted",
    title: "MUST end an interrupted lookup while the server is silent, and do others meanwhile",
    requirements: ["D36"],
    run: Effect.gen(function* () {
      const { server, lookup, hosts } = yield* lookupAt((type, name) =>
        name === "slow.example" ? "silence" : type === "A" ? [["A", "203.0.113.7"]] : [],
      )
      yield* Effect.gen(function* () {
        const fibers = yield* Effect.forEach(Array.from({ length: 50 }), () => Effect.forkChild(lookup("slow.example")))
        yield* eventually("the question", () => server.questions.length >= 2)
        for (let index = 0; index < 20; index++) {
          yield* equal("another", yield* lookup(`quick${index}.example`), ["203.0.113.7"])
        }
        yield* Fiber.interruptAll(fibers)
      }).pipe(Effect.provide(hosts))
    }),
  },
  {
    id: "lookup.shared",
    title: "MUST give all waiters for a name the same answer, even if one of them gives up",
    requirements: ["D36"],
    run: Effect.gen(function* () {
      const { lookup, hosts } = yield* lookupAt((type) => (type === "A" ? [["A", "203.0.113.7"]] : []))
      yield* Effect.gen(function* () {
        const [first, ...others] = yield* Effect.forEach(Array.from({ length: 20 }), () =>
          Effect.forkChild(lookup("shop.example"), { startImmediately: true }),
        )
        if (first !== undefined) yield* Fiber.interrupt(first)
        for (const fiber of others) yield* equal("the answer", yield* Fiber.join(fiber), ["203.0.113.7"])
      }).pipe(Effect.provide(hosts))
    }),
  },
  {
    id: "lookup.fresh",
    title: "MUST NOT cache an answer longer than its server allows",
    requirements: ["D36"],
    run: Effect.gen(function* () {
      let address = "203.0.113.7"
      const { lookup, hosts } = yield* lookupAt((type) => (type === "A" ? [["A", address, 0]] : []))
      yield* Effect.gen(function* () {
        yield* equal("before", yield* lookup("shop.example"), ["203.0.113.7"])
        address = "127.0.0.1"
        yield* equal("after", yield* lookup("shop.example"), ["127.0.0.1"])
      }).pipe(Effect.provide(hosts))
    }),
  },
])
