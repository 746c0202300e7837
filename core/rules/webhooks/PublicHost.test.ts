import { describe, expect, it } from "@effect/vitest"
import { Arbitrary, Result, Schema } from "effect"
import type { HostPolicy } from "../../model/webhooks/HostPolicy.ts"
import { checkAddresses, checkUrl, isPublicAddress, parseNetworks } from "./PublicHost.ts"

const httpNeeds = "http is not allowed here, unless the service has allowHttp (DESIGNWIRE_ALLOW_HTTP=true)"
const notPublic =
  '"127.0.0.1" is not a public address; the service can allow its network by allowNetworks ' +
  "(DESIGNWIRE_ALLOW_NETWORKS, e.g. 127.0.0.0/8)"

const networks = (text: string) => Result.getOrThrow(parseNetworks(text))

const reasonOf = (text: string, policy?: HostPolicy): string => {
  const result = checkUrl(text, policy)
  return Result.isFailure(result) ? result.failure : `accepted as ${result.success.href}`
}

const isAccepted = (text: string, policy?: HostPolicy): boolean => Result.isSuccess(checkUrl(text, policy))

/** A policy that allows these networks. */
const allowing = (text: string): HostPolicy => ({ allowNetworks: networks(text), allowHttp: false })

const loopback: HostPolicy = { allowNetworks: networks("127.0.0.0/8,::1/128"), allowHttp: false }
const http: HostPolicy = { allowNetworks: [], allowHttp: true }

/** D35 restated from its text, with whole numbers instead of networks and octets. */
const refused4 = (
  "0/8 10/8 100.64/10 127/8 168.63.129.16/32 169.254/16 172.16/12 192.0.0/24 192.0.2/24 192.31.196/24 " +
  "192.52.193/24 192.88.99/24 192.168/16 192.175.48/24 198.18/15 198.51.100/24 203.0.113/24 224/4 240/4"
)
  .split(" ")
  .map((text) => {
    const [address = "", length] = text.split("/")
    const octets = address.split(".").map(Number)
    const first = [0, 1, 2, 3].reduce((sum, index) => sum * 256n + BigInt(octets[index] ?? 0), 0n)
    return { name: text, first, last: first + (1n << (32n - BigInt(Number(length)))) - 1n }
  })

const refused6 = [
  { name: "2001::/23", first: 0x2001n << 112n, length: 23n },
  { name: "2001:db8::/32", first: 0x2001_0db8n << 96n, length: 32n },
  { name: "2002::/16", first: 0x2002n << 112n, length: 16n },
  { name: "2620:4f:8000::/48", first: 0x2620_004f_8000n << 80n, length: 48n },
  { name: "3ffe::/16", first: 0x3ffen << 112n, length: 16n },
  { name: "3fff::/20", first: 0x3fffn << 112n, length: 20n },
].map(({ first, length, name }) => ({ name, first, last: first + (1n << (128n - length)) - 1n }))

const isIn = (ranges: ReadonlyArray<{ readonly first: bigint; readonly last: bigint }>, value: bigint) =>
  ranges.some(({ first, last }) => value >= first && value <= last)

const public4 = (value: bigint): boolean => !isIn(refused4, value)

const public6 = (value: bigint): boolean => {
  if (value >> 32n === 0xffffn) return public4(value & 0xffff_ffffn)
  const interfaceId = (value >> 32n) & 0xffff_ffffn
  return value >> 125n === 1n && !isIn(refused6, value) && interfaceId !== 0x5efen && interfaceId !== 0x0200_5efen
}

const text4 = (value: bigint): string => [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join(".")

const text6 = (value: bigint): string =>
  [7n, 6n, 5n, 4n, 3n, 2n, 1n, 0n].map((index) => ((value >> (16n * index)) & 0xffffn).toString(16)).join(":")

const edges = (range: { readonly first: bigint; readonly last: bigint }, bits: bigint): ReadonlyArray<bigint> =>
  [range.first - 1n, range.first, range.last, range.last + 1n].filter((value) => value >= 0n && value < 1n << bits)

const expectBoth = (value: bigint): void => {
  const text = text4(value)
  const mapped = `::ffff:${text}`
  expect([text, isPublicAddress(text)]).toEqual([text, public4(value)])
  expect([mapped, isPublicAddress(mapped)]).toEqual([mapped, public4(value)])
  expect([mapped, isPublicAddress(text6((0xffffn << 32n) | value))]).toEqual([mapped, public4(value)])
  expect(isAccepted(`https://${text}/`)).toBe(public4(value))
  expect(isAccepted(`https://[${mapped}]/`)).toBe(public4(value))
}

const expectIpv6 = (value: bigint): void => {
  const text = text6(value)
  expect([text, isPublicAddress(text)]).toEqual([text, public6(value)])
  expect([text, isAccepted(`https://[${text}]/`)]).toEqual([text, public6(value)])
}

const sixteenBits = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 65_535 })))
const numberOf = (words: ReadonlyArray<number>): bigint => words.reduce((sum, word) => (sum << 16n) | BigInt(word), 0n)
const words = (length: number) => Arbitrary.array(sixteenBits, { minLength: length, maxLength: length })

describe("the edges of each network", () => {
  it.each(refused4)("MUST match D35: $name, mapped into IPv6 as well (D35)", (range) => {
    for (const value of edges(range, 32n)) expectBoth(value)
    expect(isPublicAddress(text4(range.first))).toBe(false)
    expect(isPublicAddress(text4(range.last))).toBe(false)
  })

  it.each(refused6)("MUST match D35: $name (D35)", (range) => {
    for (const value of edges(range, 128n)) expectIpv6(value)
    expect(isPublicAddress(text6(range.first))).toBe(false)
    expect(isPublicAddress(text6(range.last))).toBe(false)
  })

  it("MUST match D35: 2000::/3 and ::ffff:0:0/96 (D35)", () => {
    const mapped = { first: 0xffffn << 32n, last: (0xffffn << 32n) | 0xffff_ffffn }
    const global = { first: 1n << 125n, last: (1n << 126n) - 1n }
    for (const range of [mapped, global]) {
      for (const value of edges(range, 128n)) expectIpv6(value)
    }
    expect(isPublicAddress("2000::")).toBe(true)
    expect(isPublicAddress("1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff")).toBe(false)
    expect(isPublicAddress("3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff")).toBe(true)
    expect(isPublicAddress("4000::")).toBe(false)
  })

  it("MUST include ISATAP interface ids, which lead to an IPv4 address (D35)", () => {
    for (const id of ["0:5efe", "200:5efe"]) {
      for (const embedded of ["10.0.0.1", "0.0.0.0", "255.255.255.255", "8.8.8.8"]) {
        expect(isPublicAddress(`2606:4700:1:2:${id}:${embedded}`)).toBe(false)
      }
    }
    for (const id of ["0:5efd", "0:5eff", "1:5efe", "100:5efe", "201:5efe", "200:5eff", "8200:5efe"]) {
      expect(isPublicAddress(`2606:4700:1:2:${id}:10.0.0.1`)).toBe(true)
    }
  })

  it.prop(
    "MUST be the only ones: any IPv4 address (D35)",
    [words(2)],
    ([two]) => {
      expectBoth(numberOf(two))
    },
    { arbitrary: { runs: 500 } },
  )

  it.prop(
    "MUST be the only ones: any IPv6 address, and any that starts like a public one (D35)",
    [words(8)],
    ([eight]) => {
      const value = numberOf(eight)
      expectIpv6(value)
      expectIpv6((value & ((1n << 125n) - 1n)) | (1n << 125n))
    },
    { arbitrary: { runs: 500 } },
  )
})

describe("isPublicAddress", () => {
  it.each([
    "",
    " ",
    "example.com",
    "8.8.8.8 ",
    " 8.8.8.8",
    "8.8.8.8\n",
    "8.8.8.8\0",
    "8.8.8",
    "8.8.8.8.",
    "8.8.8.8.8",
    "8..8.8",
    "08.8.8.8",
    "8.8.8.010",
    "0x8.8.8.8",
    "8.8.8.256",
    "8.8.8.-8",
    "8.8.8.8/32",
    "8.8.8.8:443",
    "134744072",
    "010.8.8.8",
    "8.8.2056",
    "8.8",
    "８.8.8.8",
    "[2606:4700::1]",
    "2606:4700::1%eth0",
    "2606:4700::1%25eth0",
    "2606:4700::1/64",
    "2606:4700::00001",
    "2606:4700:::1",
    "2606:4700::1::1",
    ":2606:4700::1",
    "2606:4700::1:",
    "2606:4700::g",
    "2606:4700::8.8.8",
    "2606:4700::8.8.8.08",
    "2606:4700::8.8.8.8:1",
    "2606:4700:1:2:3:4:5:6:7",
    "::ffff:08.8.8.8",
    "::ffff:8.8.8.8%1",
    "::ffff:0x8.8.8.8",
  ])("MUST refuse text that is not exactly one address: %j (D35)", (text) => {
    expect(isPublicAddress(text)).toBe(false)
    // Not even if every address is allowed.
    expect(isPublicAddress(text, allowing("0.0.0.0/0,::/0"))).toBe(false)
  })

  it("MUST read IPv6 in every notation", () => {
    for (const text of [
      "2606:4700:4700::1111",
      "2606:4700:4700:0:0:0:0:1111",
      "2606:4700:4700:0000:0000:0000:0000:1111",
      "2606:4700:4700::0.0.17.17",
      "2A00:1450:4001::AbCd",
    ]) {
      expect(isPublicAddress(text)).toBe(true)
    }
  })

  it("MUST refuse addresses that embed a public IPv4 address other than as mapped (D35)", () => {
    for (const text of ["::8.8.8.8", "::ffff:0:8.8.8.8", "64:ff9b::8.8.8.8", "64:ff9b:1::8.8.8.8", "2002:808:808::1"]) {
      expect(isPublicAddress(text)).toBe(false)
    }
  })
})

describe("checkUrl", () => {
  it("MUST return the destination of an accepted URL (D34)", () => {
    expect(Result.getOrThrow(checkUrl("https://Shop.Example.COM/hooks?a=1"))).toEqual({
      href: "https://shop.example.com/hooks?a=1",
      protocol: "https:",
      host: "shop.example.com",
      port: 443,
      kind: "name",
    })
    expect(Result.getOrThrow(checkUrl("https://8.8.8.8:8443"))).toMatchObject({
      host: "8.8.8.8",
      port: 8443,
      kind: "address",
    })
    expect(Result.getOrThrow(checkUrl("https://[2606:4700::1111]/"))).toMatchObject({
      host: "2606:4700::1111",
      port: 443,
      kind: "address",
    })
    expect(Result.getOrThrow(checkUrl("http://shop.example.com/", http))).toMatchObject({ protocol: "http:", port: 80 })
  })

  it.each([
    "https://example.com",
    "https://example.org/",
    "https://a.b",
    "https://sub_domain.example.com/",
    "https://xn--mnchen-3ya.de/",
    "https://münchen.de/",
    "https://mylocalhost.com/",
    "https://localhost.example.com/",
    "https://internal.example.com/",
    "https://notarpa.net/",
    "https://test.com/",
    // Ends like a reserved name, but is not one.
    "https://shop.contest/",
    "https://shop.wlan/",
    "https://mylocalhost.co.notlocal/",
    "https://shop.myarpa/",
    "https://nothome.xarpa/",
    "https://example.com:443/",
    "https://example.com:8443/",
    "https://example.com:65535/",
    "https://example.com/?q=http://localhost@x",
    "https://example.com/%23",
    "https://example.com/.",
    "  https://example.com/\n",
    "HTTPS://EXAMPLE.COM/",
    "https:example.com",
    "https:\\\\example.com\\path",
  ])("MUST accept %j (D34)", (text) => {
    expect(reasonOf(text)).toMatch(/^accepted/)
  })

  it.each([
    "http://example.com/",
    "ftp://example.com/",
    "wss://example.com/",
    "file:///etc/passwd",
    "data:,x",
    "javascript:1",
    "blob:https://example.com/1",
    "HTTP://example.com/",
  ])("MUST refuse a scheme that is not https: %j (§6, D34)", (text) => {
    const isHttp = text.toLowerCase().startsWith("http:")
    expect(reasonOf(text)).toBe(`The URL must be https${isHttp ? `: ${httpNeeds}` : ""}`)
  })

  it.each([
    "",
    "example.com",
    "//example.com",
    "/hooks",
    "https://",
    "https:///",
    "https://exa mple.com/",
    "https://[::1",
    "https://example.com:65536/",
    "https://a:b:c/",
    "https://%00.com/",
    "https://a%2eb%2f.com/",
    "https://256.256.256.256/",
    "https://1.2.3.4.5/",
    "https://[fe80::1%25eth0]/",
    "https://[::ffff:1.2.3]/",
  ])("MUST refuse text that is not a URL: %j (D34)", (text) => {
    expect(reasonOf(text)).toBe("The URL can't be read as an absolute URL, e.g. https://erp.example.com/webhooks")
  })

  it.each([
    "https://user@example.com/",
    "https://user:pass@example.com/",
    "https://:pass@example.com/",
    "https://example.com@8.8.8.8/",
    "https://8.8.8.8%2f@example.com/",
  ])("MUST refuse user info: %j (D34)", (text) => {
    expect(reasonOf(text)).toBe("The URL must not have a user name or password")
  })

  it.each(["https://example.com/#a", "https://example.com/#", "https://example.com#@8.8.8.8/"])(
    "MUST refuse a fragment, even an empty one: %j (D34)",
    (text) => {
      expect(reasonOf(text)).toBe("The URL must not have a fragment (#)")
    },
  )

  it.each([
    "localhost",
    "LOCALHOST",
    "LocalHost",
    "intranet",
    "com",
    "localhost.",
    "example.com.",
    "example.com..",
    ".example.com",
    "shop..example.com",
    "shop.localhost",
    "a.b.local",
    "metadata.google.internal",
    "router.home.arpa",
    "home.arpa",
    "nas.lan",
    "shop.test",
    "shop.invalid",
    "shop.example",
    "SHOP.EXAMPLE",
    "abc.onion",
    "1.0.0.127.in-addr.arpa",
    "a.arpa",
    "ｌｏｃａｌｈｏｓｔ",
    "loc%61lhost",
    "%6c%6f%63%61%6c%68%6f%73%74",
    "localho\u00adst",
    "shop。localhost",
    "shop.ＬＯＣＡＬ",
    "lo\tcalhost",
    "lo\ncalhost",
    "ⓛocalhost",
    `${"a".repeat(64)}.com`,
    `${"a.".repeat(127)}com`,
    "a!b.example.com",
    "*.example.com",
    "a,b.example.com",
  ])("MUST refuse a host that is not a public name: %j (D34)", (host) => {
    expect(reasonOf(`https://${host}/`)).toMatch(/is not a (public host name; the service can allow .+|host name)$/)
  })

  it("MUST accept names of up to 253 characters (D34)", () => {
    const long = `${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(57)}.com`
    expect(long).toHaveLength(253)
    expect(isAccepted(`https://${long}/`)).toBe(true)
    expect(isAccepted(`https://${long}m/`)).toBe(false)
  })

  it.each([
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "0177.0.0.1",
    "0x7f.1",
    "0x7f.0.0.1",
    "0x7F000001",
    "0x7f.0x0.0x0.0x1",
    "2130706433",
    "017700000001",
    "127.0.0.01",
    "127.0.0.1.",
    "2130706433.",
    "0",
    "0.0.0.0",
    "0x",
    "１２７.０.０.１",
    "１２７。０。０。１",
    "127｡0｡0｡1",
    "①②⑦.0.0.1",
    "%31%32%37.0.0.1",
    "127%2e0%2e0%2e1",
    "12\t7.0.0.1",
    "127.0.0.1\n",
    "127.0\u00ad.0.1",
    "169.254.169.254",
    "2852039166",
    "0xA9FEA9FE",
    "0251.0376.0251.0376",
    "169.254.43518",
    "10.1",
    "192.168.257",
    "[::]",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[0000:0000:0000:0000:0000:0000:0000:0001]",
    "[::0.0.0.1]",
    "[::127.0.0.1]",
    "[::ffff:127.0.0.1]",
    "[::FFFF:7F00:1]",
    "[::ffff:a9fe:a9fe]",
    "[0:0:0:0:0:ffff:10.0.0.1]",
    "[::ffff:0:127.0.0.1]",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b::8.8.8.8]",
    "[2002:7f00:1::]",
    "[2001:0:4136:e378:8000:63bf:3fff:fdd2]",
    "[2606:4700::5efe:10.0.0.1]",
    "[2606:4700::200:5efe:10.0.0.1]",
    "[fe80::1]",
    "[FC00::1]",
    "[fd00:ec2::254]",
    "[ff02::1]",
    "[2001:db8::1]",
    "[100::1]",
  ])("MUST refuse a private address however it is written: %j (§6, D34, D35)", (host) => {
    for (const text of [`https://${host}/`, `https://${host}:8443/hooks`, `https:\\\\${host}\\`, `https:${host}`]) {
      expect(reasonOf(text)).toMatch(/ is not a public address; the service can allow its network by allowNetworks /)
    }
  })

  it.each([
    ["https://8.8.8.8@127.0.0.1/", "The URL must not have a user name or password"],
    ["https://example.com:443@127.0.0.1/", "The URL must not have a user name or password"],
    ["https://127.0.0.1\\@example.com/", notPublic],
    ["https://127.0.0.1/@example.com", notPublic],
    ["https://127.0.0.1?@example.com", notPublic],
    ["https://127.0.0.1#@example.com", "The URL must not have a fragment (#)"],
    ["https://@127.0.0.1/", notPublic],
    ["https:/127.0.0.1/", notPublic],
    ["https:////127.0.0.1/", notPublic],
    ["ht\ttps://127.0.0.1/", notPublic],
    ["\u0000https://127.0.0.1/", notPublic],
  ])("MUST be judged on the parsed URL, never on the text: %j (D34)", (text, reason) => {
    expect(reasonOf(text)).toBe(reason)
  })

  it("MUST accept a public address however it is written (D34)", () => {
    for (const host of ["8.8.8.8", "134744072", "0x8.8.8.8", "010.8.8.8", "8.8.2056", "[::ffff:8.8.8.8]"]) {
      expect(reasonOf(`https://${host}/`)).toMatch(/^accepted/)
    }
  })

  it("MUST refuse more than 2,048 characters, counted in the parsed URL (D34)", () => {
    const long = (length: number) => "https://example.com/".padEnd(length, "x")
    expect(isAccepted(long(2048))).toBe(true)
    expect(reasonOf(long(2049))).toBe("The URL must have at most 2048 characters")
    // Each of these is encoded as six characters.
    expect(reasonOf(`https://example.com/${"ü".repeat(400)}`)).toBe("The URL must have at most 2048 characters")
    expect(isAccepted(`${long(2048)}${" ".repeat(100)}`)).toBe(true)
  })

  it("MUST refuse the ports that the Fetch standard blocks, as fetch does (D34)", async () => {
    const blocked = Array.from({ length: 12_000 }, (_, port) => port).filter(
      (port) => !isAccepted(`https://example.com:${port}/`),
    )
    expect(blocked).toHaveLength(83)
    // In the standard, but not yet in some clients.
    expect(blocked[0]).toBe(0)
    for (const port of blocked.slice(1)) {
      // fetch checks the port first: it neither looks up a name nor connects.
      const error: unknown = await fetch(`https://nobody.invalid:${port}/`).catch((cause: unknown) => cause)
      expect([port, error instanceof Error && error.cause]).toMatchObject([port, { message: "bad port" }])
    }
    for (const port of [0, 22, 25, 6667, 10080]) {
      expect(reasonOf(`https://8.8.8.8:${port}/`)).toContain(`port ${port}`)
    }
    expect(reasonOf("https://example.com:0025/")).toContain("port 25")
  })
})

describe("checkAddresses", () => {
  const name = { host: "shop.example.com", kind: "name" } as const

  it("MUST accept a name if all its addresses are public, and return them unchanged (D35)", () => {
    const addresses = ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.4.4"]
    expect(Result.getOrThrow(checkAddresses(name, addresses))).toEqual(addresses)
  })

  it("MUST refuse a name if any of its addresses is not public (D35)", () => {
    for (const addresses of [["10.0.0.1"], ["8.8.8.8", "10.0.0.1"], ["10.0.0.1", "8.8.8.8"], ["8.8.8.8", "::1"]]) {
      expect(Result.getOrThrow(Result.flip(checkAddresses(name, addresses)))).toMatch(
        /^shop\.example\.com: "(10\.0\.0\.1|::1)" is not a public address; /,
      )
    }
  })

  it("MUST refuse a name with an address that can't be parsed, or with none (D35)", () => {
    expect(Result.isFailure(checkAddresses(name, ["8.8.8.8", "fe80::1%eth0"]))).toBe(true)
    expect(Result.flip(checkAddresses(name, ["8.8.8.8", ""]))).toEqual(
      Result.succeed(`${name.host}: "" is not a public address`),
    )
    expect(Result.flip(checkAddresses(name, []))).toEqual(Result.succeed(`${name.host} has no address`))
  })
})

describe("exceptions", () => {
  it("MUST be off by default: a name that leads to loopback is refused (D37)", () => {
    expect(isAccepted("https://localhost/")).toBe(false)
    expect(isAccepted("https://127.0.0.1/")).toBe(false)
    expect(isAccepted("http://example.com/")).toBe(false)
    expect(isPublicAddress("127.0.0.1")).toBe(false)
    expect(Result.isFailure(checkAddresses({ host: "a.example.com", kind: "name" }, ["127.0.0.1"]))).toBe(true)
  })

  it("MUST accept addresses of the networks that are allowed, and no others that are not public (D37)", () => {
    for (const host of ["127.0.0.1", "127.255.255.255", "2130706433", "[::1]", "[::ffff:127.0.0.1]"]) {
      expect(reasonOf(`https://${host}/`, loopback)).toMatch(/^accepted/)
    }
    for (const host of ["126.255.255.255", "8.8.8.8"]) expect(isAccepted(`https://${host}/`, loopback)).toBe(true)
    for (const host of [
      "10.0.0.1",
      "169.254.169.254",
      "0.0.0.0",
      "[::2]",
      "[::]",
      "[::ffff:10.0.0.1]",
      "[::127.0.0.1]",
    ]) {
      expect(isAccepted(`https://${host}/`, loopback)).toBe(false)
    }
  })

  it("MUST accept localhost and other names that are not public if their addresses allow it (D37)", () => {
    for (const host of ["localhost", "intranet", "hooks.internal", "shop.test"]) {
      const destination = Result.getOrThrow(checkUrl(`https://${host}:8443/`, loopback))
      expect(destination).toMatchObject({ host, port: 8443, kind: "special" })
      const check = (...addresses: ReadonlyArray<string>) =>
        Result.isSuccess(checkAddresses(destination, addresses, loopback))
      expect(check("127.0.0.1")).toBe(true)
      expect(check("127.0.0.1", "::1", "::ffff:127.0.0.2")).toBe(true)
      // All must be in the allowed networks: a public address is not enough for such a name.
      expect(check("8.8.8.8")).toBe(false)
      expect(check("127.0.0.1", "8.8.8.8")).toBe(false)
      expect(check("127.0.0.1", "10.0.0.1")).toBe(false)
      expect(check("127.0.0.1", "not an address")).toBe(false)
      expect(check()).toBe(false)
    }
  })

  it("MUST accept a public name with public and allowed addresses (D37)", () => {
    const destination = { host: "shop.example.com", kind: "name" } as const
    expect(Result.isSuccess(checkAddresses(destination, ["8.8.8.8", "127.0.0.1"], loopback))).toBe(true)
    expect(Result.isFailure(checkAddresses(destination, ["8.8.8.8", "10.0.0.1"], loopback))).toBe(true)
  })

  it("MUST change no rule that is not about the host (D34, D37)", () => {
    for (const text of [
      "http://localhost/",
      "https://user@localhost/",
      "https://localhost/#a",
      "https://localhost:25/",
      "https://local..host/",
      "https://localhost./",
      "https://local!host/",
    ]) {
      expect(isAccepted(text, loopback)).toBe(false)
    }
  })

  it("MUST accept http if it is allowed, and no other scheme (D37)", () => {
    expect(isAccepted("http://example.com/", http)).toBe(true)
    expect(isAccepted("https://example.com/", http)).toBe(true)
    expect(isAccepted("http://localhost/", http)).toBe(false)
    expect(isAccepted("http://127.0.0.1/", http)).toBe(false)
    expect(reasonOf("ftp://example.com/", http)).toBe("The URL must be https or http")
    expect(isAccepted("http://localhost:3001/hooks", { ...loopback, allowHttp: true })).toBe(true)
  })
})

describe("denied networks", () => {
  const policy: HostPolicy = {
    allowNetworks: networks("10.0.0.0/8,127.0.0.1/32"),
    denyNetworks: networks("10.9.0.0/16,8.8.8.0/24,2606:4700::/32"),
    ownNetworks: networks("127.0.0.1/32,10.1.2.3/32,93.184.216.34/32,2606:2800:220:1::1/128"),
    allowHttp: false,
  }

  it("MUST be refused even if they are allowed too: denied wins (D47)", () => {
    for (const address of ["10.9.0.1", "8.8.8.8", "::ffff:8.8.8.8", "2606:4700::1"]) {
      expect([address, isPublicAddress(address, policy)]).toEqual([address, false])
      const literal = address.includes(":") ? `[${address}]` : address
      expect(reasonOf(`https://${literal}/`, policy)).toMatch(
        /is in a network that is denied here \(denyNetworks, DESIGNWIRE_DENY_NETWORKS\)$/,
      )
      const name = { host: "a.example.com", kind: "name" } as const
      expect(Result.isFailure(checkAddresses(name, ["1.1.1.1", address], policy))).toBe(true)
      expect(Result.isFailure(checkAddresses({ ...name, kind: "special" }, [address], policy))).toBe(true)
    }
  })

  it("MUST include the addresses of this machine unless they are allowed (D47)", () => {
    for (const address of ["93.184.216.34", "::ffff:93.184.216.34", "2606:2800:220:1::1"]) {
      expect([address, isPublicAddress(address, policy)]).toEqual([address, false])
      expect(isPublicAddress(address, { ...policy, ownNetworks: [] })).toBe(true)
    }
    for (const address of ["10.1.2.3", "127.0.0.1"]) expect(isPublicAddress(address, policy)).toBe(true)
  })

  it("MUST NOT affect other networks (D35, D47)", () => {
    for (const address of ["8.8.9.8", "1.1.1.1", "93.184.216.35", "10.8.0.1"]) {
      expect([address, isPublicAddress(address, policy)]).toEqual([address, true])
    }
    for (const address of ["192.168.0.1", "127.0.0.2", "::1"]) expect(isPublicAddress(address, policy)).toBe(false)
  })
})

describe("parseNetworks", () => {
  it("MUST read networks of both kinds, and spaces around commas (D37)", () => {
    expect(networks("127.0.0.0/8, ::1/128 ,10.0.0.0/8").map(String)).toEqual(["127.0.0.0/8", "::1/128", "10.0.0.0/8"])
    expect(networks("0.0.0.0/0,::/0").map(String)).toEqual(["0.0.0.0/0", "::/0"])
  })

  it("MUST read a network of mapped addresses as its IPv4 network (D35)", () => {
    expect(networks("::ffff:10.0.0.0/104").map(String)).toEqual(["10.0.0.0/8"])
    expect(isPublicAddress("10.1.2.3", allowing("::ffff:0:0/96"))).toBe(true)
    expect(isPublicAddress("::ffff:10.1.2.3", allowing("::ffff:10.1.2.3/128"))).toBe(true)
    // Mapped addresses are IPv4 addresses, so no IPv6 network around them admits them.
    expect(isPublicAddress("::ffff:10.1.2.3", allowing("::/0"))).toBe(false)
    expect(isPublicAddress("::1", allowing("::/0"))).toBe(true)
    expect(isPublicAddress("::1", allowing("0.0.0.0/0"))).toBe(false)
  })

  it.each([
    "",
    ",",
    "127.0.0.0/8,",
    "127.0.0.1",
    "::1",
    "127.0.0.1/8",
    "127.0.0.0/33",
    "127.0.0.0/-1",
    "127.0.0.0/08",
    "127.0.0.0/",
    "127.0.0.0/8/8",
    "127/8",
    "127.0.0.0/255.0.0.0",
    "::1/129",
    "fe80::%eth0/64",
    "[::1]/128",
    "localhost",
    "localhost/8",
    "127.0.0.0/8 ::1/128",
    "127.0.0.0/8;::1/128",
  ])("MUST refuse %j and state the accepted form (D37)", (text) => {
    expect(Result.getOrThrow(Result.flip(parseNetworks(text)))).toMatch(/^networks in CIDR form/)
  })
})
