import { describe, expect, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { type HostPolicy, publicOnly } from "../model/webhooks/HostPolicy.ts"
import { LookupFailed } from "../ports/HostLookup.ts"
import { parseNetworks } from "../rules/webhooks/PublicHost.ts"
import { makeApprove } from "./Approval.ts"

/** Judges a URL whose name has these addresses, and records the names that were looked up. */
const judge = Effect.fnUntraced(function* (
  url: string,
  addresses: ReadonlyArray<string>,
  policy: HostPolicy = publicOnly,
) {
  const asked: Array<string> = []
  const result = yield* Effect.result(
    makeApprove(policy, (name) => {
      asked.push(name)
      return Effect.succeed(addresses)
    })({ shop: "shop", url }),
  )
  return { asked, result }
})

const local: HostPolicy = { allowNetworks: Result.getOrThrow(parseNetworks("127.0.0.0/8,::1/128")), allowHttp: false }

describe("makeApprove (D34–D37)", () => {
  it.effect("MUST return the destination and all its addresses if every one is public", () =>
    Effect.gen(function* () {
      const { asked, result } = yield* judge("https://Hooks.Example.com:8443/a?b", [
        "93.184.216.34",
        "2606:2800:220:1::1",
      ])
      expect(asked).toEqual(["hooks.example.com"])
      expect(Result.getOrThrow(result)).toEqual({
        destination: {
          href: "https://hooks.example.com:8443/a?b",
          protocol: "https:",
          host: "hooks.example.com",
          port: 8443,
          kind: "name",
        },
        addresses: ["93.184.216.34", "2606:2800:220:1::1"],
      })
    }),
  )

  it.effect("MUST look up names only, and use a literal as its own address", () =>
    Effect.gen(function* () {
      for (const [url, address] of [
        ["https://93.184.216.34/", "93.184.216.34"],
        ["https://[2606:2800:220:1::1]/", "2606:2800:220:1::1"],
      ] as const) {
        const { asked, result } = yield* judge(url, ["10.0.0.1"])
        expect(asked).toEqual([])
        expect(Result.getOrThrow(result).addresses).toEqual([address])
      }
    }),
  )

  it.effect("MUST look up nothing if the URL itself is refused", () =>
    Effect.gen(function* () {
      for (const url of [
        "http://a.example.com/",
        "https://localhost/",
        "https://10.0.0.1/",
        "https://a.b.internal/",
        "x",
      ]) {
        const { asked, result } = yield* judge(url, ["93.184.216.34"])
        expect([url, asked]).toEqual([url, []])
        expect(Result.getOrThrow(Result.flip(result))).toMatchObject({
          _tag: "NotApproved",
          message: expect.stringMatching(/./),
        })
      }
    }),
  )

  it.effect("MUST refuse a name if any of its addresses is not public, or if it has none (D35)", () =>
    Effect.gen(function* () {
      for (const addresses of [
        ["10.0.0.1"],
        ["93.184.216.34", "10.0.0.1"],
        ["10.0.0.1", "93.184.216.34"],
        ["93.184.216.34", "::1"],
        ["93.184.216.34", "::ffff:127.0.0.1"],
        ["93.184.216.34", ""],
        ["93.184.216.34", "nonsense"],
        ["93.184.216.34", "fe80::1%eth0"],
        [],
      ]) {
        const { result } = yield* judge("https://hooks.example.com/", addresses)
        expect([addresses, Result.isFailure(result) && result.failure._tag]).toEqual([addresses, "NotApproved"])
      }
    }),
  )

  it.effect("MUST pass on the reason why a name was not found", () =>
    Effect.gen(function* () {
      const failed = new LookupFailed({ message: "NXDOMAIN" })
      expect(
        yield* Effect.flip(
          makeApprove(publicOnly, () => Effect.fail(failed))({ shop: "shop", url: "https://a.example.com/" }),
        ),
      ).toBe(failed)
    }),
  )

  it.effect("MUST approve a special name only if all its addresses are in the allowed networks (D37)", () =>
    Effect.gen(function* () {
      for (const [addresses, approved] of [
        [["127.0.0.1", "::1"], true],
        [["127.0.0.1", "93.184.216.34"], false],
        [["93.184.216.34"], false],
        [["127.0.0.1", "10.0.0.1"], false],
        [[], false],
      ] as const) {
        const { asked, result } = yield* judge("https://localhost/", addresses, local)
        expect(asked).toEqual(["localhost"])
        expect([addresses, Result.isSuccess(result)]).toEqual([addresses, approved])
      }
      // A public name may mix public and allowed addresses.
      const { result } = yield* judge("https://a.example.com/", ["127.0.0.1", "93.184.216.34"], local)
      expect(Result.isSuccess(result)).toBe(true)
    }),
  )

  it.effect("MUST approve an exception only for its shop and its exact URL (D37)", () =>
    Effect.gen(function* () {
      const url = "http://127.0.0.1:4711/"
      const denied = Result.getOrThrow(parseNetworks("127.0.0.0/8"))
      const policy: HostPolicy = { ...publicOnly, denyNetworks: denied, exceptions: [{ shop: "demo", url }] }
      const approved = (shop: string, url: string) =>
        Effect.map(
          Effect.result(makeApprove(policy, () => Effect.succeed(["127.0.0.1"]))({ shop, url })),
          Result.isSuccess,
        )
      expect(yield* makeApprove(policy, () => Effect.die("no look-up"))({ shop: "demo", url })).toMatchObject({
        destination: { href: url, port: 4711 },
        addresses: ["127.0.0.1"],
      })
      for (const [shop, other] of [
        ["another", url],
        ["demo", "http://127.0.0.1:4712/"],
        ["demo", "http://127.0.0.1:4711/other"],
        ["demo", "http://127.0.0.1:4711"],
        ["demo", "https://127.0.0.1:4711/"],
        ["demo", "http://localhost:4711/"],
        ["demo", "http://hooks.example.com/"],
        ["demo", "https://hooks.example.com/"],
      ] as const) {
        expect([shop, other, yield* approved(shop, other)]).toEqual([shop, other, false])
      }
    }),
  )

  it.effect("MUST NOT remember an exception of one shop, or a refusal of another, for any other shop (D37)", () =>
    Effect.gen(function* () {
      const [byAddress, byName] = ["http://127.0.0.1:4711/", "http://localhost:4711/"]
      for (const url of [byAddress, byName]) {
        const approve = makeApprove({ ...publicOnly, exceptions: [{ shop: "demo", url }] }, () =>
          Effect.succeed(["127.0.0.1"]),
        )
        const verdicts = yield* Effect.forEach(["another", "demo", "another", "dem", "demo"], (shop) =>
          Effect.map(Effect.result(approve({ shop, url })), ({ _tag }) => _tag),
        )
        expect([url, verdicts]).toEqual([url, ["Failure", "Success", "Failure", "Failure", "Success"]])
      }
    }),
  )

  it.effect(
    "MUST look up the name and judge its addresses before every attempt, whatever was found before (D36, §6-24)",
    () =>
      Effect.gen(function* () {
        const [first, second] = [["93.184.216.34"], ["10.0.0.1"]]
        let found: ReadonlyArray<string> = first
        let asked = 0
        const approve = makeApprove(publicOnly, () => {
          asked++
          return Effect.succeed(found)
        })
        const verdicts: Array<string> = []
        for (const addresses of [first, first, second, second, first]) {
          found = addresses
          const verdict = yield* Effect.result(approve({ shop: "shop", url: "https://a.example.com/" }))
          verdicts.push(verdict._tag)
        }
        expect([asked, verdicts]).toEqual([5, ["Success", "Success", "Failure", "Failure", "Success"]])
      }),
  )

  it.effect("MUST judge again if the networks of this machine have changed (D47)", () =>
    Effect.gen(function* () {
      let ownNetworks = Result.getOrThrow(parseNetworks("192.0.2.1/32"))
      const policy: HostPolicy = {
        ...publicOnly,
        get ownNetworks() {
          return ownNetworks
        },
      }
      const found = ["93.184.216.34"]
      const approve = makeApprove(policy, () => Effect.succeed(found))
      for (const url of ["https://93.184.216.34/", "https://a.example.com/"]) {
        ownNetworks = Result.getOrThrow(parseNetworks("192.0.2.1/32"))
        expect((yield* Effect.result(approve({ shop: "shop", url })))._tag).toBe("Success")
        ownNetworks = Result.getOrThrow(parseNetworks("93.184.216.34/32"))
        expect((yield* Effect.result(approve({ shop: "shop", url })))._tag).toBe("Failure")
      }
    }),
  )
})
