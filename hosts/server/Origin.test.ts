import type { Socket } from "node:net"
import { Result } from "effect"
import { expect, it } from "vitest"
import { parseNetworks } from "../../core/rules/webhooks/PublicHost.ts"
import { clientOf, originOf } from "./Origin.ts"

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

it.each([
  ["203.0.113.7", "198.51.100.1", "203.0.113.7"],
  ["10.1.2.3", "198.51.100.1", "198.51.100.1"],
  ["10.1.2.3", "192.0.2.1, 198.51.100.1", "198.51.100.1"],
  ["10.1.2.3", "192.0.2.1, 198.51.100.1 , 10.9.9.9", "198.51.100.1"],
  ["10.1.2.3", "2001:db8:1:2::9", "2001:db8:1:2::/64"],
  ["10.1.2.3", "198.51.100.1, unknown", undefined],
  ["10.1.2.3", "10.9.9.9", undefined],
  ["10.1.2.3", undefined, undefined],
  [undefined, "198.51.100.1", undefined],
])(
  "the client of a request from %s, forwarded for %s, MUST be the last address outside of the proxies (D46a)",
  (...row) => {
    const [remoteAddress, forwarded, client] = row
    const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded }
    expect(clientOf({ headers, socket: { remoteAddress } as Socket }, proxies)).toBe(client)
  },
)
