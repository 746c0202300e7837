import { networkInterfaces } from "node:os"
import { Result } from "effect"
import { expect, it } from "vitest"
import { publicOnly } from "../../core/model/webhooks/HostPolicy.ts"
import { checkUrl, isPublicAddress, parseNetworks } from "../../core/rules/webhooks/PublicHost.ts"
import { withOwnNetworks } from "./OwnNetworks.ts"

type Interfaces = ReturnType<typeof networkInterfaces>

/** The interfaces of a machine with these addresses. */
const having = (...addresses: ReadonlyArray<string>): Interfaces => ({
  eth0: addresses.map((address) => ({
    address,
    netmask: "",
    mac: "",
    internal: false,
    cidr: null,
    ...(address.includes(":") ? { family: "IPv6", scopeid: 0 } : { family: "IPv4" }),
  })),
  down: undefined,
})

it("MUST refuse the addresses of the machine's interfaces, even public ones, and no others (D47)", () => {
  const policy = withOwnNetworks(publicOnly, () =>
    having("93.184.216.34", "2606:2800:220:1::1", "::ffff:8.8.4.4", "fe80::1%eth0", "nonsense"),
  )
  for (const address of ["93.184.216.34", "2606:2800:220:1::1", "8.8.4.4"]) {
    expect([address, isPublicAddress(address, policy)]).toEqual([address, false])
  }
  for (const address of ["93.184.216.35", "2606:2800:220:1::2", "8.8.8.8"]) {
    expect([address, isPublicAddress(address, policy)]).toEqual([address, true])
  }
  expect(Result.isFailure(checkUrl("https://93.184.216.34/", policy))).toBe(true)
})

it("MUST let an operator allow them (D47)", () => {
  const allowNetworks = Result.getOrThrow(parseNetworks("93.184.216.34/32"))
  const policy = withOwnNetworks({ ...publicOnly, allowNetworks }, () => having("93.184.216.34", "8.8.8.8"))
  expect([isPublicAddress("93.184.216.34", policy), isPublicAddress("8.8.8.8", policy)]).toEqual([true, false])
})

it("MUST read the interfaces of its machine, each address separately (D47)", () => {
  const addresses = Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .map(({ address }) => address)
  const own = withOwnNetworks(publicOnly).ownNetworks ?? []
  expect(own.map(String)).toEqual(
    addresses.map((address) => expect.stringMatching(address.includes(":") ? /:.*\/128$/ : `${address}/32`)),
  )
})
