import { inFile, type Mutant } from "../../Mutant.ts"

/** Faults in the rules: in which hosts are public. */
export const hosts: ReadonlyArray<Mutant> = [
  ...inFile("rules", "core/rules/PublicHost.ts", [
    {
      id: "PublicHost.ends-like",
      find: "hostname.endsWith(`.${name}`)",
      replace: "hostname.endsWith(name)",
      caughtBy: ["core/rules/PublicHost.test.ts > MUST accept %j (D34)"],
      sample: true,
    },
    {
      id: "PublicHost.labels",
      find: "if (labels.length > 1 && !reservedNames",
      replace: "if (!reservedNames",
      caughtBy: ["core/rules/PublicHost.test.ts > MUST refuse a host that is not a public name: %j (D34)"],
    },
    {
      id: "PublicHost.fragment",
      find: 'if (url.href.includes("#"))',
      replace: 'if (url.hash !== "")',
      caughtBy: ["core/rules/PublicHost.test.ts > MUST refuse a fragment, also an empty one: %j (D34)"],
    },
    {
      id: "PublicHost.password",
      find: 'url.username !== "" || url.password !== ""',
      replace: 'url.username !== ""',
      caughtBy: ["core/rules/PublicHost.test.ts > MUST refuse user info: %j (D34)"],
    },
    {
      id: "PublicHost.length",
      find: "url.href.length > maximumUrl",
      replace: "text.length > maximumUrl",
      caughtBy: [
        "core/rules/PublicHost.test.ts > MUST refuse more than 2,048 characters, counted in the parsed URL (D34)",
      ],
    },
    {
      id: "PublicHost.port",
      find: "if (blockedPorts.has(port))",
      replace: 'if (url.port === "" && blockedPorts.has(port))',
      caughtBy: [
        "core/rules/PublicHost.test.ts > MUST refuse the ports that the Fetch standard blocks, as fetch does (D34)",
      ],
    },
    {
      id: "PublicHost.http",
      find: '!(protocol === "http:" && policy.allowHttp)',
      replace: 'protocol !== "http:"',
      caughtBy: ["core/rules/PublicHost.test.ts > MUST refuse a scheme that is not https: %j (§6, D34)"],
    },
    {
      id: "PublicHost.first-address",
      find: "for (const address of addresses) {",
      replace: "for (const address of addresses.slice(0, 1)) {",
      caughtBy: [
        "core/rules/PublicHost.test.ts > MUST refuse a name one of whose addresses is not, wherever it stands (D35)",
      ],
    },
    {
      id: "PublicHost.no-address",
      find: "addresses.length === 0 ? Result.fail(`${destination.host} has no address`) : Result.succeed(addresses)",
      replace: "Result.succeed(addresses)",
      caughtBy: [
        "core/rules/PublicHost.test.ts > MUST refuse a name with an address that can't be parsed, or with none (D35)",
      ],
    },
    {
      id: "PublicHost.denied",
      find: "if (isIn(address, policy.denyNetworks)) return",
      replace: "if (isIn(address, policy.denyNetworks) && !isIn(address, policy.allowNetworks)) return",
      caughtBy: ["core/rules/PublicHost.test.ts > MUST be refused, the allowed among them too: denied wins (D47)"],
    },
    {
      id: "PublicHost.own",
      find: "onlyAllowed || isIn(address, policy.ownNetworks) ||",
      replace: "onlyAllowed ||",
      caughtBy: [
        "core/rules/PublicHost.test.ts > MUST include the addresses of this machine unless they are allowed (D47)",
      ],
    },
    {
      id: "PublicHost.special",
      find: 'policy, destination.kind === "special")',
      replace: "policy)",
      caughtBy: [
        "core/rules/PublicHost.test.ts > MUST accept localhost and other names that are not public, to be decided by their addresses (D37)",
      ],
    },
    {
      id: "PublicHost.mapped",
      find: "Result.map(NetAddress.ipFromString(text), (address) => NetAddress.toCanonical(address))",
      replace: "NetAddress.ipFromString(text)",
      caughtBy: ["core/rules/PublicHost.test.ts > MUST be where D35 has them: $name, mapped into IPv6 as well (D35)"],
    },
    {
      id: "PublicHost.isatap",
      find: "(high === 0 || high === 0x200) && low === 0x5efe",
      replace: "high === 0 && low === 0x5efe",
      caughtBy: [
        "core/rules/PublicHost.test.ts > MUST include ISATAP interface ids, which lead to an IPv4 address (D35)",
      ],
    },
    {
      id: "PublicHost.global",
      find: "IpNetwork.contains(globalIpv6, address) && !isIn",
      replace: "!isIn",
      caughtBy: ["core/rules/PublicHost.test.ts > MUST be where D35 has them: 2000::/3 and ::ffff:0:0/96 (D35)"],
    },
    {
      id: "PublicHost.azure",
      find: '  "168.63.129.16/32",\n',
      replace: "",
      caughtBy: ["core/rules/PublicHost.test.ts > MUST be where D35 has them: $name, mapped into IPv6 as well (D35)"],
    },
    {
      id: "PublicHost.networks.mapped",
      find: "network.prefixLength >= 96",
      replace: "network.prefixLength > 96",
      caughtBy: [
        "core/rules/PublicHost.test.ts > MUST read a network of mapped addresses as the IPv4 network that it stands for (D35)",
      ],
    },
  ]),
]
