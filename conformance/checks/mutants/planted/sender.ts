import { inFile, type Mutant } from "../Mutant.ts"

/** Faults in what sends webhooks, and in what finds their receivers. */
export const sender: ReadonlyArray<Mutant> = [
  ...inFile("sender", "adapters/node/Dial.ts", [
    {
      id: "dial.patience",
      find: "if (next < addresses.length) timer = setTimeout(attempt, patience)",
      replace: "",
      caughtBy: ["connection.slow"],
      sample: true,
    },
    {
      id: "dial.next",
      find: 'if (at === "place") attempt()',
      replace: 'if (at === "place") fail("connect")',
      caughtBy: ["connection.fallback"],
    },
    {
      id: "dial.names",
      find: "while (address !== undefined && isIP(address) === 0) address = addresses[next++]",
      replace: "",
      caughtBy: ["connection.address"],
    },
    {
      id: "dial.server-name",
      find: 'isIP(host) === 0 ? host.replace(/\\.$/, "") : ""',
      replace: 'isIP(host) === 0 ? "webhooks.example" : ""',
      caughtBy: ["tls.server-name"],
    },
    {
      id: "dial.unauthorized",
      find: "rejectUnauthorized: true",
      replace: "rejectUnauthorized: false",
      caughtBy: ["tls.self-signed"],
    },
    {
      id: "dial.certificate.host",
      find: "  host,\n  // An address",
      replace: "  checkServerIdentity: () => undefined,\n  // An address",
      caughtBy: ["tls.other.name"],
    },
    {
      id: "dial.losers",
      find: "          stop()\n          if (target.secure)",
      replace: "          clearTimeout(timer)\n          if (target.secure)",
      caughtBy: ["connection.slow.closed"],
    },
    {
      id: "dial.broken",
      find: "      encrypted.destroy()\n",
      replace: "",
      caughtBy: ["tls.broken"],
    },
  ]),
  ...inFile("sender", "adapters/node/Pool.ts", [
    {
      id: "pool.address",
      find: "`${target.origin} ${address} ${target.identity}`",
      replace: "target.origin",
      caughtBy: ["connection.reuse.approved"],
    },
    {
      id: "pool.origin",
      find: "`${target.origin} ${address} ${target.identity}`",
      replace: "address",
      caughtBy: ["connection.reuse.origin"],
    },
    {
      id: "pool.taken",
      find: "        this.#occupy(last)\n",
      replace: "",
      caughtBy: ["connection.busy"],
    },
    {
      id: "pool.unsent",
      find: "this.#closed || connection.socket.writableLength > 0",
      replace: "this.#closed",
      caughtBy: ["answer.early"],
    },
    {
      id: "pool.never",
      find: "this.#idleTo.set(connection.key, [connection])",
      replace: "this.#idle.delete(connection)",
      caughtBy: ["connection.reuse"],
    },
  ]),
  ...inFile("sender", "adapters/node/Connection.ts", [
    {
      id: "connection.informational",
      find: "if (code < 100 || code === 101 || code >= 200)",
      replace: "if (code >= 0)",
      caughtBy: ["answer.informational"],
    },
    {
      id: "connection.held",
      find: "if (bytes.length > 0) this.#unfinished = bytes",
      replace: "",
      caughtBy: ["deadline.status.drip"],
    },
    {
      id: "connection.status",
      find: "if (code >= 200) this.statusCode = code",
      replace: "",
      caughtBy: ["deadline.header"],
    },
    {
      id: "connection.framing",
      find: 'if (this.#allowed <= 0) return this.#end("too much beside the body")',
      replace: "",
      caughtBy: ["answer.endless.head"],
    },
    {
      id: "connection.flood",
      find: "if (end === -1 || this.#informational > maximumHead) return",
      replace: "if (end === -1) return",
      caughtBy: ["answer.none"],
    },
  ]),
  ...inFile("sender", "adapters/node/WebhookSender.ts", [
    {
      id: "send.identity",
      find: '["accept-encoding", "identity"]',
      replace: '["accept-encoding", "gzip"]',
      caughtBy: ["request.bytes"],
    },
    {
      id: "send.limit",
      find: "const part = chunk.length > room ? chunk.subarray(0, room) : chunk",
      replace: "const part = chunk",
      caughtBy: ["answer.limit"],
    },
    {
      id: "send.tail",
      find: "this.#respond(withoutTail(this.#body))",
      replace: "this.#respond(this.#body)",
      caughtBy: ["answer.limit"],
    },
    {
      id: "send.nul",
      find: 'return text.includes("\\0") ? text.replaceAll("\\0", "") : text',
      replace: "return text",
      caughtBy: ["answer.text"],
    },
    {
      id: "send.answered",
      find: "if (answered) this.#respond(this.#body)\n    else this",
      replace: "this",
      caughtBy: ["deadline.body"],
    },
    {
      id: "send.deadline",
      find: 'this.#deadline = setTimeout(() => this.#step(() => this.#fail("timeout")), this.#request.timeout)',
      replace: "",
      caughtBy: ["deadline.request"],
    },
    {
      id: "send.connect-time",
      find: "if (connectTimeout < timeout) {",
      replace: "if (connectTimeout < 0) {",
      caughtBy: ["deadline.tls"],
    },
    {
      id: "send.connect-time.kept",
      find: "          clearTimeout(this.#connecting)\n          this.#giveUp",
      replace: "          this.#giveUp",
      caughtBy: ["deadline.connected"],
    },
    {
      id: "send.defect",
      find: "      this.#die(error)\n      return\n",
      replace: '      this.#fail("reset")\n      return\n',
      caughtBy: ["request.defect"],
    },
    {
      id: "send.again",
      find: "this.#controller === undefined && !this.#fresh",
      replace: "!this.#fresh",
      caughtBy: ["connection.once"],
    },
    {
      id: "send.abandon",
      find: "Effect.sync(() => attempt.abandon())",
      replace: "Effect.void",
      caughtBy: ["connection.interrupted"],
    },
    {
      id: "send.path",
      find: "path: href.slice(path, fragment === -1 ? undefined : fragment)",
      replace: "path: new URL(url).pathname",
      caughtBy: ["request.path"],
    },
    {
      id: "send.broken",
      find: "const answered = (this.#connection?.statusCode ?? 0) > 0",
      replace: "const answered = false",
      caughtBy: ["answer.malformed"],
    },
    {
      id: "send.tls-error",
      find: "/^ERR_(SSL|TLS)_/.test(error.code)",
      replace: "/^ERR_NONE_/.test(error.code)",
      caughtBy: ["tls.broken"],
    },
  ]),
  ...inFile("sender", "adapters/node/HostLookup.ts", [
    {
      id: "lookup.memory",
      find: "Math.min(memory, found.lifetime)",
      replace: "memory",
      caughtBy: ["lookup.fresh"],
    },
    {
      id: "lookup.one-family",
      find: "else if (records.length > 0) timer = setTimeout(end, grace)",
      replace: "",
      caughtBy: ["lookup.half.silent"],
    },
    {
      id: "lookup.ipv6",
      find: "resolver.resolve6(name, { ttl: true }, collect)",
      replace: "collect(null, [])",
      caughtBy: ["lookup.all"],
    },
    {
      id: "lookup.shared",
      find: "return Effect.sync(() => this.#callers.get(name)?.delete(resume))",
      replace: "return Effect.sync(() => this.#callers.delete(name))",
      caughtBy: ["lookup.shared"],
    },
    {
      id: "lookup.localhost",
      find: 'name === "localhost" || name.endsWith(".localhost")',
      replace: 'name === "localhost"',
      caughtBy: ["lookup.localhost"],
    },
  ]),
]
