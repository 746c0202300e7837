/** A DNS server scripted by a case (RFC 1035, over UDP), for Node. */
import { Buffer } from "node:buffer"
import { createSocket } from "node:dgram"
import { Effect, type Scope } from "effect"

/** Records of a name: `[type, value, seconds to live]`, in order; a CNAME's value is a name. */
export type DnsRecord = readonly [type: "A" | "AAAA" | "CNAME", value: string, ttl?: number]

/** The answer to one question: records, an error, or silence. */
export type DnsAnswer = ReadonlyArray<DnsRecord> | "NXDOMAIN" | "SERVFAIL" | "silence"

/** A running DNS server. */
export interface DnsServer {
  /** `127.0.0.1:port` */
  readonly address: string
  /** Questions received, e.g. `A shop.example`, in order. */
  readonly questions: ReadonlyArray<string>
}

const types = { A: 1, CNAME: 5, AAAA: 28 } as const
const codes = { SERVFAIL: 2, NXDOMAIN: 3 } as const

/** Starts a server for the lifetime of the scope that answers with `respond(type, name)`. */
export const dnsServer = (
  respond: (type: "A" | "AAAA", name: string) => DnsAnswer,
): Effect.Effect<DnsServer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const questions: Array<string> = []
    const socket = createSocket("udp4")
    socket.on("message", (message, from) => {
      const { name, end } = readName(message, 12)
      const type = message.readUInt16BE(end) === types.AAAA ? "AAAA" : "A"
      questions.push(`${type} ${name}`)
      const answer = respond(type, name)
      if (answer === "silence") return
      const records = typeof answer === "string" ? [] : answer
      const header = Buffer.alloc(12)
      message.copy(header, 0, 0, 2)
      // A response, recursion desired and available.
      header.writeUInt16BE(0x8180 | (typeof answer === "string" ? codes[answer] : 0), 2)
      header.writeUInt16BE(1, 4)
      header.writeUInt16BE(records.length, 6)
      let owner = name
      const parts = records.map((record) => {
        const part = writeRecord(owner, record)
        if (record[0] === "CNAME") owner = record[1]
        return part
      })
      socket.send(Buffer.concat([header, message.subarray(12, end + 4), ...parts]), from.port, from.address)
    })
    yield* Effect.callback<void>((resume) => {
      socket.bind(0, "127.0.0.1", () => resume(Effect.void))
    })
    yield* Effect.addFinalizer(() =>
      Effect.callback<void>((resume) => {
        socket.close(() => resume(Effect.void))
      }),
    )
    return { address: `127.0.0.1:${socket.address().port}`, questions }
  })

const readName = (message: Buffer, from: number): { readonly name: string; readonly end: number } => {
  const labels: Array<string> = []
  let at = from
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length))
    at += 1 + length
  }
  // Some clients ask in mixed case, to recognise the answer.
  return { name: labels.join(".").toLowerCase(), end: at + 1 }
}

const writeName = (name: string): Buffer =>
  Buffer.concat([
    ...name.split(".").map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label, "latin1")])),
    Buffer.from([0]),
  ])

const writeRecord = (owner: string, [type, value, ttl = 60]: DnsRecord): Buffer => {
  const data =
    type === "CNAME" ? writeName(value) : type === "A" ? Buffer.from(value.split(".").map(Number)) : ipv6(value)
  const fixed = Buffer.alloc(10)
  fixed.writeUInt16BE(types[type], 0)
  fixed.writeUInt16BE(1, 2)
  fixed.writeUInt32BE(ttl, 4)
  fixed.writeUInt16BE(data.length, 8)
  return Buffer.concat([writeName(owner), fixed, data])
}

const ipv6 = (address: string): Buffer => {
  const [head = "", tail = ""] = address.split("::")
  const groups = (text: string) => (text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16)))
  const [first, last] = [groups(head), groups(tail)]
  const bytes = Buffer.alloc(16)
  for (const [index, group] of [...first, ...Array(8 - first.length - last.length).fill(0), ...last].entries()) {
    bytes.writeUInt16BE(group, index * 2)
  }
  return bytes
}
