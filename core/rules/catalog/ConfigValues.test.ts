import { Redacted, Result } from "effect"
import { describe, expect, it } from "vitest"
import {
  isEncryptionKey,
  parseConcurrency,
  parseDatabaseUrl,
  parseDuration,
  parseDurationOver,
  parseKeyRing,
  parseLogTime,
  parseManageKey,
  parseNoticeUrl,
  parsePooler,
  parsePort,
  parsePublicUrl,
  parseServiceName,
  parseSwitch,
} from "./ConfigValues.ts"

const key = (byte: number): string => Buffer.alloc(32, byte).toString("base64")

const refused = <A>(read: (text: string) => Result.Result<A, string>, texts: ReadonlyArray<string>, words: string) => {
  for (const text of texts) expect([text, Result.getOrThrow(Result.flip(read(text)))]).toEqual([text, words])
}

describe("An encryption key", () => {
  it("MUST be base64 of 32 bytes, with its padding, and nothing else", () => {
    expect([isEncryptionKey(key(0)), isEncryptionKey(key(255))]).toEqual([true, true])
    for (const text of [
      "",
      "short",
      key(7).slice(0, -1),
      `${key(7)}=`,
      ` ${key(7)}`,
      `\n${key(7)}`,
      `${key(7)}\n`,
      `x${key(7)}`,
      Buffer.alloc(31, 7).toString("base64"),
      Buffer.alloc(33, 7).toString("base64"),
      Buffer.alloc(32, 255).toString("base64").replaceAll("/", "_"),
    ]) {
      expect([text, isEncryptionKey(text)]).toEqual([text, false])
    }
  })
})

describe("A ring of keys", () => {
  it("MUST be read newest first, with spaces around commas", () => {
    const bytes = (text: string) =>
      Result.getOrThrow(parseKeyRing(text)).keys.map((one) => [Redacted.value(one).length, Redacted.value(one)[0]])
    expect(bytes(key(1))).toEqual([[32, 1]])
    expect(bytes(`${key(3)} , ${key(2)},${key(1)}`)).toEqual([
      [32, 3],
      [32, 2],
      [32, 1],
    ])
  })

  it("MUST be refused as a whole if one of them is invalid, without repeating any of them", () => {
    const texts = ["", key(1).slice(1), `${key(1)},`, `,${key(1)}`, `${key(1)},x,${key(2)}`, `${key(1)};${key(2)}`]
    refused(parseKeyRing, texts, "base64 of 32 bytes each, comma-separated")
  })
})

describe("Other values", () => {
  it("MUST take the address of a Postgres database in both spellings of its scheme, as it is", () => {
    for (const text of ["postgres://u:p@h:1/d", "postgresql://h/d", "POSTGRES://h/d"]) {
      expect(Redacted.value(Result.getOrThrow(parseDatabaseUrl(text)))).toBe(text)
    }
    const others = ["", "h/d", "mysql://h/d", "xpostgres://h/d", "postgresqlx://h/d", "https://h/?postgres:"]
    refused(parseDatabaseUrl, others, "a postgres:// URL")
  })

  it("MUST know one kind of pooler", () => {
    expect(parsePooler("transaction")).toEqual(Result.succeed("transaction"))
    refused(parsePooler, ["", "session", "Transaction", " transaction"], "transaction, or left out")
  })

  it("MUST take a service's name of 1 to 100 letters, digits, dots, hyphens and underscores", () => {
    for (const text of ["a", "Acme-1.0_b", "x".repeat(100)])
      expect(parseServiceName(text)).toEqual(Result.succeed(text))
    const others = ["", "x".repeat(101), "a b", "é", "a/b", " a", "a\n"]
    refused(parseServiceName, others, "1 to 100 letters, digits, dots, hyphens and underscores")
  })

  it("MUST take an http or https URL for notices, with a query and without a user", () => {
    for (const text of ["https://a.example/n?key=1", "http://127.0.0.1:1/", "HTTPS://a.example"]) {
      expect(Redacted.value(Result.getOrThrow(parseNoticeUrl(text)))).toBe(text)
    }
    const others = ["", "a.example", "ftp://a.example", "xhttp://a", "https://u@a.example", "https://:p@a.example"]
    refused(parseNoticeUrl, others, "an http(s) URL without a user name and password")
  })

  it("MUST take 1 to 10,000 attempts at once", () => {
    for (const [text, number] of [
      ["1", 1],
      ["64", 64],
      ["10000", 10_000],
    ] as const) {
      expect(parseConcurrency(text)).toEqual(Result.succeed(number))
    }
    refused(
      parseConcurrency,
      ["", "0", "01", "10001", "99999", "100000", "1.5", "-1", "1e3", " 1", "1 "],
      "an integer from 1 to 10000",
    )
  })

  it("MUST take a manage key of at least 16 printable characters", () => {
    for (const text of ["0123456789abcdef", `!~${"x".repeat(40)}`]) {
      expect(Redacted.value(Result.getOrThrow(parseManageKey(text)))).toBe(text)
    }
    const others = ["", "0123456789abcde", "0123456789 abcdef", "0123456789abcdef\n", "\u00e90123456789abcdef"]
    refused(parseManageKey, others, "at least 16 characters, printable ASCII without spaces")
  })

  it("MUST take an http or https address for links, without the slashes at its end", () => {
    for (const [text, address] of [
      ["https://a.example", "https://a.example"],
      ["http://a.example:1/b//", "http://a.example:1/b"],
    ] as const) {
      expect(parsePublicUrl(text)).toEqual(Result.succeed(address))
    }
    refused(parsePublicUrl, ["", "a.example", "ftp://a.example", "xhttp://a", "https"], "an http(s) URL")
  })

  it("MUST take a port of 0 to 65535", () => {
    for (const text of ["0", "8080", "65535"]) expect(parsePort(text)).toEqual(Result.succeed(Number(text)))
    refused(parsePort, ["", "65536", "100000", "-1", "1.5", "1e3", "0x50", " 1", "1 "], "a port, 0 to 65535")
  })

  it("MUST take true or false", () => {
    expect([parseSwitch("true"), parseSwitch("false")]).toEqual([Result.succeed(true), Result.succeed(false)])
    refused(parseSwitch, ["", "TRUE", "1", "yes", " true", "false "], "true or false")
  })

  it("MUST take one duration, and 0 if it is allowed", () => {
    for (const [text, duration] of [
      ["0s", 0],
      ["0ms", 0],
      ["500ms", 500],
      ["2m", 120_000],
    ] as const) {
      expect(parseDuration(text)).toEqual(Result.succeed(duration))
    }
    const others = ["", "0", "00s", "x0s", "0sx", "30", "-1s", "1s,2s", "1s,"]
    refused(parseDuration, others, "a duration, e.g. 30s, or 0s")
    expect(parseDurationOver(5000)("5001ms")).toEqual(Result.succeed(5001))
    expect(parseLogTime("30d")).toEqual(Result.succeed(30 * 86_400_000))
    refused(parseLogTime, ["59m", "366d", "50", "", "1d,2d"], "a time from 1h to 365d, e.g. 30d")
    refused(parseDurationOver(5000), ["5s", "0s", "", "30s,60s"], "a duration of more than 5s, e.g. 30s")
  })
})
