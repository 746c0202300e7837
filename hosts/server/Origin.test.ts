import { Result } from "effect"
import { expect, it } from "vitest"
import { parseNetworks } from "../../core/rules/PublicHost.ts"
import { originOf } from "./Origin.ts"

const proxies = Result.getOrThrow(parseNetworks("10.0.0.0/8,fd00::/8"))

it.each([
  ["203.0.113.7", { key: "203.0.113.7", isProxy: false }],
  ["::ffff:203.0.113.7", { key: "203.0.113.7", isProxy: false }],
  ["::ffff:10.1.2.3", { key: "10.1.2.3", isProxy: true }],
  ["2001:db8:1:2:3:4:5:6", { key: "2001:db8:1:2::/64", isProxy: false }],
  ["2001:db8:1:2::9", { key: "2001:db8:1:2::/64", isProxy: false }],
  ["fd00:1:2:3::4", { key: "fd00:1:2:3::/64", isProxy: true }],
  ["fe80::1%eth0", { key: "fe80::/64", isProxy: false }],
  [undefined, undefined],
])("a connection from %s MUST count for its IPv4 address or its IPv6 network", (address, origin) => {
  expect(originOf(address, proxies)).toEqual(origin)
})
