import { inFile, type Mutant } from "../Mutant.ts"

/** Faults in what answers requests, and in what receivers check them with. */
export const hosts: ReadonlyArray<Mutant> = [
  ...inFile("hosts", "hosts/receiver/index.ts", [
    {
      id: "receiver.stale",
      find: "if (!(distance <= tolerance * 1000))",
      replace: "if (distance > tolerance * 1000)",
      caughtBy: ["hosts/receiver/index.test.ts > MUST be stale when there is no now to measure against (§8)"],
    },
    {
      id: "receiver.before",
      find: "Math.abs(now - timestamp * 1000)",
      replace: "now - timestamp * 1000",
      caughtBy: [
        "hosts/receiver/index.test.ts > MUST have a timestamp at most 300 seconds away, before or after (§5, §8)",
      ],
    },
    {
      id: "receiver.timestamp-shape",
      find: "if (!timestampShape.test(timestampText)) {",
      replace: "if (Number.isNaN(Number(timestampText))) {",
      caughtBy: ["hosts/receiver/index.test.ts > MUST not have %j for a timestamp, however well it is signed (§6)"],
    },
    {
      id: "receiver.secrets",
      find: "return matches.includes(true)",
      replace: "return matches[0] === true",
      caughtBy: [
        "hosts/receiver/index.test.ts > MUST be accepted with any of several secrets, and with none of two others",
      ],
    },
    {
      id: "receiver.empty-secret",
      find: 'typeof secret === "string" && secret !== ""',
      replace: 'typeof secret === "string"',
      caughtBy: ["hosts/receiver/index.test.ts > MUST not be checked without a secret: an empty one accepts nothing"],
    },
    {
      id: "receiver.timestamp-signed",
      find: "${timestampText}.`), body)",
      replace: "`), body)",
      caughtBy: ["hosts/receiver/index.test.ts > MUST find the signature good: $name at $timestamp (§5, D20)"],
    },
    {
      id: "receiver.twice",
      find: 'return values.length === 0 ? null : values.join(", ")',
      replace: "return values.length === 0 ? null : (values[0] ?? null)",
      caughtBy: [
        "hosts/receiver/index.test.ts > MUST not be given twice, so that nobody can choose which one counts (§5)",
      ],
    },
    {
      id: "receiver.digit",
      find: "difference | (byte ^ (right[index] ?? ~byte))",
      replace: "byte ^ (right[index] ?? ~byte)",
      caughtBy: ["hosts/receiver/index.test.ts > MUST have a signature right in every digit (§5)"],
    },
    {
      id: "receiver.utf8",
      find: 'new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })',
      replace: 'new TextDecoder("utf-8", { ignoreBOM: true })',
      caughtBy: ["hosts/receiver/index.test.ts > MUST be UTF-8"],
    },
    {
      id: "receiver.view",
      find: "new Uint8Array(body.buffer, body.byteOffset, body.byteLength)",
      replace: "new Uint8Array(body.buffer)",
      caughtBy: ["hosts/receiver/index.test.ts > MUST be accepted as text, bytes, part of a buffer and ArrayBuffer"],
    },
  ]),
  ...inFile("hosts", "hosts/manage/ManageKey.ts", [
    {
      id: "manage.no-store",
      find: '    yield* Errors.addHeaders({ "cache-control": "no-store" })\n',
      replace: "",
      caughtBy: [
        "hosts/manage/NoStore.test.ts > MUST say no-store in every answer: to what was done, to what was refused and to what is not there",
      ],
    },
    {
      id: "manage.wait",
      find: "if (wait > 0) return wait",
      replace: "if (wait < 0) return wait",
      caughtBy: [
        "hosts/manage/Key.test.ts > MUST be answered with 429 and Retry-After after ten in a minute, and one more taken then",
      ],
    },
    {
      id: "manage.empty",
      find: 'if (text === "") return "wrong"',
      replace: "",
      caughtBy: ["hosts/manage/Key.test.ts > MUST count neither requests without a key nor those with the right one"],
    },
    {
      id: "manage.network",
      find: "IpNetwork.fromAddress(ip, 64)",
      replace: "IpNetwork.fromAddress(ip, 128)",
      caughtBy: [
        "hosts/manage/Key.test.ts > MUST be counted for each address by itself, and for all of a /64 of IPv6 together",
      ],
    },
    {
      id: "manage.mapped",
      find: "if (ipv4 !== undefined) return ipv4",
      replace: "",
      caughtBy: [
        "hosts/manage/Key.test.ts > MUST be counted for each address by itself, and for all of a /64 of IPv6 together",
      ],
    },
  ]),
  ...inFile("hosts", "hosts/manage/FailedKeys.ts", [
    {
      id: "failed.together",
      find: "within(all, now).length < together ? each : 1",
      replace: "each",
      caughtBy: [
        "hosts/manage/Key.test.ts > MUST take but one wrong key from an address once there are too many from all, and lock out none that had none",
      ],
    },
    {
      id: "failed.window",
      find: "times.filter((time) => time > now - window)",
      replace: "times.filter((time) => time >= now - window)",
      caughtBy: [
        "hosts/manage/Key.test.ts > MUST take but one wrong key from an address once there are too many from all, and lock out none that had none",
      ],
    },
    {
      id: "failed.capacity",
      find: "if (byAddress.size > capacity && oldest !== undefined) byAddress.delete(oldest)",
      replace: "",
      caughtBy: ["hosts/manage/Key.test.ts > MUST keep no more than the addresses that failed last"],
    },
  ]),
  ...inFile("hosts", "hosts/manage/Handlers.ts", [
    {
      id: "manage.customizer-id",
      find: "decimal.test(text) && Number.isSafeInteger(Number(text))",
      replace: "Number.isSafeInteger(Number(text))",
      caughtBy: [
        "hosts/server/CustomizerIds.test.ts > MUST be its number in plain decimal: every other spelling is 404, to read and to put (D15)",
      ],
    },
  ]),
  ...inFile("hosts", "core/api/Reads.ts", [
    {
      id: "reads.customizer-id",
      find: "decimal.test(id) ? Number(id) : Number.NaN",
      replace: "Number(id)",
      caughtBy: [
        "hosts/server/CustomizerIds.test.ts > MUST be its number in plain decimal: every other spelling is 404, to read and to put (D15)",
      ],
    },
    {
      id: "reads.cache",
      find: '"cache-control": "private, no-cache"',
      replace: '"cache-control": "public, no-cache"',
      caughtBy: [
        "hosts/server/Tags.test.ts > MUST be answered with 304 for the tag in every form, and else with what there is",
      ],
    },
    {
      id: "reads.link",
      find: "parameters.set(name, cursor)",
      replace: "parameters.append(name, cursor)",
      caughtBy: [
        "hosts/server/NextLink.test.ts > MUST lead from page to page to the last, each with the parameters of the first",
      ],
    },
  ]),
  ...inFile("hosts", "core/api/Conditional.ts", [
    {
      id: "conditional.weak",
      find: 'item.trim().replace(/^W\\//, "") === etag',
      replace: "item.trim() === etag",
      caughtBy: [
        "hosts/server/Tags.test.ts > MUST be answered with 304 for the tag in every form, and else with what there is",
      ],
    },
    {
      id: "conditional.any",
      find: 'ifNoneMatch.trim() === "*" || ',
      replace: "",
      caughtBy: [
        "hosts/server/Tags.test.ts > MUST be answered with 304 for the tag in every form, and else with what there is",
      ],
    },
  ]),
  ...inFile("hosts", "hosts/server/NodeRequests.ts", [
    {
      id: "server.hosts",
      find: "return hosts === 1 ||",
      replace: "return hosts >= 1 ||",
      caughtBy: [
        "hosts/server/Server.test.ts > MUST refuse a request with two Host headers, or with none, and not carry it out (RFC 9112 §3.2)",
      ],
    },
  ]),
  ...inFile("hosts", "hosts/server/Health.ts", [
    {
      id: "health.once",
      find: "if ((yield* Ref.getAndSet(reason, now)) === now) return",
      replace: "yield* Ref.set(reason, now)",
      caughtBy: [
        "hosts/server/Health.test.ts > MUST write why it is not ready to the log, once for each reason and not for each probe",
      ],
    },
    {
      id: "health.wait",
      find: 'duration: "3 seconds"',
      replace: 'duration: "30 seconds"',
      caughtBy: ["hosts/server/Health.test.ts > MUST NOT wait longer than 3 seconds for a store that says nothing"],
    },
  ]),
]
