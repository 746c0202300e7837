import type { Section } from "./Requirement.ts"

/** D34 to D38: which hosts a webhook may go to, and how large an input may be. */
export const decisionsHosts: ReadonlyArray<Section> = [
  {
    id: "decisions-hosts",
    title: "Decisions on which hosts are public",
    from: "decision",
    rows: [
      {
        id: "D34",
        title: "URL of an endpoint",
        text:
          "The URL MUST be `https:`, without user info and without a fragment, and at most 2,048 characters long. " +
          "Its host MUST be an IP literal that is public, or a name with at least two labels, none of them empty, " +
          "that is not under `localhost`, `local`, `internal`, `home.arpa`, `lan`, `test`, `invalid`, `example`, " +
          "`onion` or `arpa`. Any port is allowed except those that the Fetch standard blocks. The parsed URL is " +
          "judged, never its text.",
      },
      {
        id: "D35",
        title: "Public addresses",
        text:
          "Every address that the name resolves to MUST be public; one that is not refuses the host. Refused IPv4 " +
          "networks: 0/8, 10/8, 100.64/10, 127/8, 168.63.129.16/32, 169.254/16, 172.16/12, 192.0.0/24, 192.0.2/24, " +
          "192.31.196/24, 192.52.193/24, 192.88.99/24, 192.168/16, 192.175.48/24, 198.18/15, 198.51.100/24, " +
          "203.0.113/24, 224/4, 240/4. Of IPv6, `::ffff:0:0/96` is judged as the IPv4 address in it; everything " +
          "else outside 2000::/3 is refused; inside it 2001::/23, 2001:db8::/32, 2002::/16, 2620:4f:8000::/48, " +
          "3ffe::/16, 3fff::/20 and ISATAP interface ids (`::0:5efe:…`, `::200:5efe:…`) are refused. An address " +
          "that cannot be parsed MUST be refused.",
      },
      {
        id: "D36",
        title: "When addresses are judged",
        text:
          "Addresses MUST be judged when an endpoint is added, when its URL is changed, and before every attempt. " +
          "The connection MUST go to an address that was just approved, never to the answer of a second look-up. A " +
          "pooled connection may be used again only if its remote address is among those approved for this " +
          "attempt. Answers to a look-up may be remembered for at most 5 seconds.",
      },
      {
        id: "D37",
        title: "Exceptions to public hosts",
        text:
          "Exceptions MUST be explicit and off by default: a list of networks to allow (for development and " +
          "private installations), and plain `http:`. A default on the public internet from which loopback can be " +
          "reached is a defect. The demo's only exception MUST be the URL of its own receiver, for its own shop.",
      },
    ],
  },
  {
    id: "decisions-input",
    title: "Decisions on limits of input",
    from: "decision",
    rows: [
      {
        id: "D38",
        title: "Sizes of input",
        text:
          "Input of the management API MUST be JSON of at most 1 MiB, a definition at most 512 KiB and a selection " +
          "at most 64 KiB. Anything larger MUST be answered with 413, and nothing is stored.",
      },
      {
        id: "D38a",
        title: "Nesting and values of JSON",
        text:
          "JSON of others MUST NOT be parsed if it is nested more than 128 levels deep or has more than 150,000 values: " +
          "a body is then answered with 400 and that reason, and nothing is stored. This holds for the management " +
          "API, webhooks of shop platforms, definitions in the settings app and lines of an import. The largest order " +
          "of a platform MUST be taken.",
      },
    ],
  },
]
