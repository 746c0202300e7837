import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Effect, Redacted, Result } from "effect"
import { IpNetwork } from "effect/net"
import { allSettings, settingsTable, withSettings } from "../../conformance/testkit/SettingsTable.ts"
import { type HostConfig, readConfig } from "./ReadConfig.ts"

const someKey = (byte: number) => Buffer.alloc(32, byte).toString("base64")

const required = { DESIGNWIRE_MANAGE_KEY: "0123456789abcdef", DESIGNWIRE_ENCRYPTION_KEYS: someKey(1) }

const keysOf = (config: HostConfig) =>
  config.keyRing?.keys.map((key) => Buffer.from(Redacted.value(key)).toString("base64"))

const networksOf = (networks: ReadonlyArray<IpNetwork.IpNetwork> | undefined) => networks?.map(IpNetwork.format)

interface Row {
  readonly name: string
  readonly read: (config: HostConfig) => unknown
  readonly fallback: unknown
  /** Valid texts and their values. */
  readonly good: ReadonlyArray<readonly [given: string, meaning: unknown]>
  /** Invalid texts. */
  readonly bad: ReadonlyArray<string>
}

/**
 * hosts/cli/README.md. Of values that several settings share, such as durations and networks, a row has one, to see
 * that the setting is read so: the tests of the parsers have all forms (core/rules: ConfigValues, RetryPolicy,
 * PublicHost).
 */
const rows: ReadonlyArray<Row> = [
  { name: "PORT", read: ({ port }) => port, fallback: 3000, good: [["8080", 8080]], bad: ["65536"] },
  {
    name: "HOST",
    read: ({ host }) => host,
    fallback: "127.0.0.1",
    good: [
      ["0.0.0.0", "0.0.0.0"],
      ["::1", "::1"],
    ],
    bad: [],
  },
  {
    name: "DATABASE_URL",
    read: ({ databaseUrl }) => databaseUrl && Redacted.value(databaseUrl),
    fallback: undefined,
    good: [["postgres://me:s3cretword@db:5432/shop", "postgres://me:s3cretword@db:5432/shop"]],
    bad: ["mysql://me:s3cretword@db/shop"],
  },
  {
    name: "DESIGNWIRE_SCHEMA",
    read: ({ schema }) => schema,
    fallback: "designwire",
    good: [
      ["shop_designs", "shop_designs"],
      ["_2", "_2"],
      ["a".repeat(48), "a".repeat(48)],
    ],
    bad: ["Designs", "2designs", "my-designs", 'a"s3cretword', "pg_s3cretword", "a".repeat(49)],
  },
  {
    name: "DESIGNWIRE_DATABASE_POOLER",
    read: ({ pooler }) => pooler,
    fallback: undefined,
    good: [["transaction", "transaction"]],
    bad: ["s3cretword"],
  },
  {
    name: "DESIGNWIRE_LISTEN_URL",
    read: ({ listenUrl }) => listenUrl && Redacted.value(listenUrl),
    fallback: undefined,
    good: [["postgres://me:s3cretword@db:5432/shop", "postgres://me:s3cretword@db:5432/shop"]],
    bad: ["mysql://me:s3cretword@db/shop"],
  },
  {
    name: "DESIGNWIRE_SHOPIFY_SECRET",
    read: ({ ingest }) => ingest.shopify?.map(Redacted.value),
    fallback: undefined,
    good: [
      ["shpss_0123456789abcdef", ["shpss_0123456789abcdef"]],
      ["shpss_0123456789abcdef, shpss_fedcba9876543210", ["shpss_0123456789abcdef", "shpss_fedcba9876543210"]],
    ],
    bad: ["s3cretword", "s3cretword with spaces", "s3cretword0123456789,", "s3cretword0123456789,short"],
  },
  {
    name: "DESIGNWIRE_WOOCOMMERCE_SECRET",
    read: ({ ingest }) => ingest.woocommerce?.map(Redacted.value),
    fallback: undefined,
    good: [["a-woo-secret-of-24-letters", ["a-woo-secret-of-24-letters"]]],
    bad: ["s3cretword", "s3cretword-\u00e9-0123456789"],
  },
  {
    name: "DESIGNWIRE_INGEST_PROPERTY",
    read: ({ ingest }) => ingest.property,
    fallback: "_designwire_id",
    good: [["Design number", "Design number"]],
    bad: ["a".repeat(256), "s3cretword\tx"],
  },
  {
    name: "DESIGNWIRE_SHOPIFY_PLACED",
    read: ({ ingest }) => ingest.settings.paidStates,
    fallback: ["paid", "partially_refunded"],
    good: [["Paid, authorized", ["paid", "authorized"]]],
    bad: ["paid,,", "s3cretword\tx"],
  },
  {
    name: "DESIGNWIRE_SHOPIFY_PAY_LATER",
    read: ({ ingest }) => ingest.settings.laterGateways,
    fallback: ["cash on delivery (cod)", "cash on delivery", "cod"],
    good: [["Bank Deposit", ["bank deposit"]]],
    bad: ["s3cretword\tx"],
  },
  {
    name: "DESIGNWIRE_SHOPIFY_TESTS",
    read: ({ ingest }) => ingest.settings.takesTests,
    fallback: false,
    good: [["true", true]],
    bad: ["s3cretword"],
  },
  {
    name: "DESIGNWIRE_WOOCOMMERCE_PLACED",
    read: ({ ingest }) => ingest.settings.placedStates,
    fallback: ["processing"],
    good: [["processing, in-production", ["processing", "in-production"]]],
    bad: ["s3cretword\tx"],
  },
  {
    name: "DESIGNWIRE_WOOCOMMERCE_DONE",
    read: ({ ingest }) => ingest.settings.doneStates,
    fallback: ["completed", "refunded"],
    good: [["shipped", ["shipped"]]],
    bad: ["s3cretword\tx"],
  },
  {
    name: "DESIGNWIRE_REORDER_COPIES",
    read: ({ ingest }) => ingest.settings.copies,
    fallback: true,
    good: [["false", false]],
    bad: ["s3cretword"],
  },
  {
    name: "DESIGNWIRE_DATABASE_WAIT",
    read: ({ databaseWait }) => databaseWait,
    fallback: 30_000,
    good: [["0s", 0]],
    bad: ["s3cretword"],
  },
  {
    name: "DESIGNWIRE_CONNECTION_WAIT",
    read: ({ connectionWait }) => connectionWait,
    fallback: 5_000,
    good: [["500ms", 500]],
    bad: ["0s", "s3cretword"],
  },
  {
    name: "DESIGNWIRE_LOCK_WAIT",
    read: ({ lockWait }) => lockWait,
    fallback: 30_000,
    good: [["1m", 60_000]],
    bad: ["0s", "s3cretword"],
  },
  {
    name: "DESIGNWIRE_DATA_DIR",
    read: ({ dataDirectory }) => dataDirectory,
    fallback: ".designwire",
    good: [["/var/lib/design wire", "/var/lib/design wire"]],
    bad: [],
  },
  {
    name: "DESIGNWIRE_CONNECTIONS_PER_ADDRESS",
    read: ({ limits }) => limits.maximumPerAddress,
    fallback: 512,
    good: [
      ["1", 1],
      ["4096", 4096],
    ],
    bad: ["0", "4097", "-1", "1.5", "s3cretword"],
  },
  {
    name: "DESIGNWIRE_MAX_REQUESTS",
    read: ({ limits }) => limits.maximumRequests,
    fallback: 1024,
    good: [
      ["4", 4],
      ["99999", 99_999],
    ],
    bad: ["0", "3", "100000", "-4", "64.5", "s3cretword"],
  },
  {
    name: "DESIGNWIRE_PROXY_NETWORKS",
    read: ({ limits }) => limits.proxies.map(IpNetwork.format),
    fallback: [],
    good: [["10.0.0.0/8, ::1/128", ["10.0.0.0/8", "::1/128"]]],
    bad: ["10.0.0.1/8", "s3cretword"],
  },
  {
    name: "DESIGNWIRE_RATE_LIMIT",
    read: ({ rateLimit }) => rateLimit,
    fallback: 120,
    good: [
      ["1", 1],
      ["100000", 100_000],
    ],
    bad: ["0", "100001", "-1", "1.5", "1e3", "s3cretword"],
  },
  {
    name: "DESIGNWIRE_MANAGE_KEY",
    read: ({ manageKey }) => manageKey && Redacted.value(manageKey),
    fallback: undefined,
    good: [["0123456789abcdef", "0123456789abcdef"]],
    bad: ["s3cretword"],
  },
  {
    name: "DESIGNWIRE_ENCRYPTION_KEYS",
    read: keysOf,
    fallback: undefined,
    good: [[`${someKey(2)}, ${someKey(1)}`, [someKey(2), someKey(1)]]],
    bad: ["s3cretword", `${someKey(1)},s3cretword`],
  },
  {
    name: "DESIGNWIRE_PUBLIC_URL",
    read: ({ publicUrl }) => publicUrl,
    fallback: undefined,
    good: [["https://example.com/designs/{shop}/", "https://example.com/designs/{shop}"]],
    bad: ["s3cretword", "https://s3cretword/{store}"],
  },
  {
    name: "DESIGNWIRE_MANAGE_PORT",
    read: ({ manage }) => manage,
    fallback: undefined,
    good: [
      ["3001", { host: "127.0.0.1", port: 3001 }],
      ["0", { host: "127.0.0.1", port: 0 }],
      // The port of everything else.
      ["3000", undefined],
    ],
    bad: ["65536"],
  },
  {
    name: "DESIGNWIRE_MANAGE_HOST",
    read: ({ manage }) => manage,
    fallback: undefined,
    good: [
      ["10.0.0.5", { host: "10.0.0.5", port: 3000 }],
      ["127.0.0.1", undefined],
    ],
    bad: [],
  },
  { name: "DESIGNWIRE_DOCS", read: ({ docs }) => docs, fallback: true, good: [["false", false]], bad: ["s3cretword"] },
  {
    name: "DESIGNWIRE_AUTO_MIGRATE",
    read: ({ autoMigrate }) => autoMigrate,
    fallback: false,
    good: [["true", true]],
    bad: ["s3cretword"],
  },
  {
    name: "DESIGNWIRE_SERVICE_NAME",
    read: ({ serviceName }) => serviceName,
    fallback: "Designwire",
    good: [["Acme-2.0", "Acme-2.0"]],
    bad: ["s3cretword\r\nX-Other: 1"],
  },
  {
    name: "DESIGNWIRE_SETTINGS_NAME",
    read: ({ appearance }) => appearance.name,
    fallback: undefined,
    good: [["Acme Prints", "Acme Prints"]],
    bad: [],
  },
  {
    name: "DESIGNWIRE_SETTINGS_LOGO",
    read: ({ appearance }) => appearance.logo,
    fallback: undefined,
    good: [
      ["https://cdn.acme.example/logo.svg", "https://cdn.acme.example/logo.svg"],
      ["/assets/logo.svg", "/assets/logo.svg"],
    ],
    bad: ["logo.svg", "//cdn.acme.example/logo.svg", "http://cdn.acme.example/logo.svg", "javascript:s3cretword"],
  },
  {
    name: "DESIGNWIRE_SETTINGS_ACCENT",
    read: ({ appearance }) => appearance.colours,
    fallback: undefined,
    good: [
      ["#aa0055", { accent: "#aa0055", accentDark: undefined }],
      ["#aa0055, #FFB0D0", { accent: "#aa0055", accentDark: "#FFB0D0" }],
    ],
    bad: ["red", "#abc", "#aa0055,", "#aa0055,#ffb0d0,#000000", "s3cretword"],
  },
  {
    name: "DESIGNWIRE_SETTINGS_RADIUS",
    read: ({ appearance }) => appearance.radius,
    fallback: undefined,
    good: [
      ["0px", "0px"],
      ["1.25rem", "1.25rem"],
    ],
    bad: ["8", "33px", "3rem", "-1px", "8px;color:red", "calc(1px)", "s3cretword"],
  },
  {
    name: "DESIGNWIRE_SETTINGS_FONT",
    read: ({ appearance }) => appearance.font,
    fallback: undefined,
    good: [["Inter, Noto Sans JP, serif", "Inter, Noto Sans JP, serif"]],
    bad: ["Arial,,", "s3cretword;}", '"s3cretword"', "url(s3cretword)", "a\\b", "x".repeat(201)],
  },
  {
    name: "DESIGNWIRE_SETTINGS_LANGUAGE",
    read: ({ appearance }) => appearance.language,
    fallback: undefined,
    good: [
      ["en", "en"],
      ["de", "de"],
    ],
    bad: ["DE", "fr", "toString", "s3cretword"],
  },
  {
    name: "DESIGNWIRE_RETRY_SCHEDULE",
    read: ({ worker }) => worker.schedule,
    fallback: [60_000, 300_000, 1_800_000, 7_200_000, 21_600_000, 86_400_000],
    good: [["500ms, 2m,1h", [500, 120_000, 3_600_000]]],
    bad: ["1m,,5m"],
  },
  {
    name: "DESIGNWIRE_DRAFTS",
    read: ({ worker }) => worker.drafts,
    fallback: undefined,
    good: [
      ["90d", 90 * 86_400_000],
      ["24h", 86_400_000],
    ],
    bad: ["90", "forever", "23h", "366d", "0d", "-1d"],
  },
  {
    name: "DESIGNWIRE_DELIVERY_LOG",
    read: ({ worker }) => worker.deliveryLog,
    fallback: undefined,
    good: [["30d", 30 * 86_400_000]],
    bad: ["59m"],
  },
  {
    name: "DESIGNWIRE_ALLOW_NETWORKS",
    read: ({ webhookPolicy }) => networksOf(webhookPolicy.allowNetworks),
    fallback: [],
    good: [["127.0.0.0/8, ::1/128", ["127.0.0.0/8", "::1/128"]]],
    bad: ["s3cretword"],
  },
  {
    name: "DESIGNWIRE_DENY_NETWORKS",
    read: ({ webhookPolicy }) => networksOf(webhookPolicy.denyNetworks),
    fallback: [],
    good: [["8.8.8.0/24, 2606:4700::/32", ["8.8.8.0/24", "2606:4700::/32"]]],
    bad: ["s3cretword"],
  },
  {
    name: "DESIGNWIRE_ALLOW_HTTP",
    read: ({ webhookPolicy }) => webhookPolicy.allowHttp,
    fallback: false,
    good: [["true", true]],
    bad: ["s3cretword"],
  },
  {
    name: "DESIGNWIRE_CONCURRENCY",
    read: ({ worker }) => worker.concurrency,
    fallback: 64,
    good: [["256", 256]],
    bad: ["0"],
  },
  {
    name: "DESIGNWIRE_LEASE",
    read: ({ worker }) => worker.lease,
    fallback: 30_000,
    good: [["1m", 60_000]],
    // An attempt may last 5 seconds.
    bad: ["5s", "s3cretword"],
  },
  {
    name: "DESIGNWIRE_WEBHOOK_PROXY",
    read: ({ webhookProxy }) => webhookProxy && Redacted.value(webhookProxy),
    fallback: undefined,
    good: [
      ["http://me:s3cretword@proxy:3128", "http://me:s3cretword@proxy:3128"],
      ["https://me:p%40ss%3Aw%C3%B6rd@proxy.example.com/", "https://me:p%40ss%3Aw%C3%B6rd@proxy.example.com/"],
      ["http://[::1]:3128", "http://[::1]:3128"],
    ],
    bad: [
      "proxy.internal:3128",
      "socks5://me:s3cretword@proxy:1080",
      "http://me:s3cretword@proxy:3128/path",
      "http://me:s3cretword@proxy:3128?a=b",
      "http://me:s3cretword%zz@proxy:3128",
      "http://m%3Ae:s3cretword@proxy:3128",
      "http://me:s3cretword%0d%0a@proxy:3128",
      "s3cretword",
    ],
  },
  {
    name: "DESIGNWIRE_NOTICE_URL",
    read: ({ noticeUrl }) => (noticeUrl === undefined ? undefined : Redacted.value(noticeUrl)),
    fallback: undefined,
    good: [["https://ops.example.com/notices?key=a", "https://ops.example.com/notices?key=a"]],
    bad: ["https://me:s3cretword@ops.example.com"],
  },
]

/** Other variables that this one requires. */
const besides = (name: string) => (name === "DATABASE_URL" ? required : {})

const problemsOf = (environment: Readonly<Record<string, string | undefined>>) =>
  Effect.map(Effect.flip(readConfig(environment)), (error) => {
    for (const problem of error.problems) expect(error.message).toContain(problem)
    return error.problems
  })

/** Writes texts to files, and returns their paths. */
const files = Effect.fnUntraced(function* (...texts: ReadonlyArray<string>) {
  const directory = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "designwire-settings-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true })),
  )
  return texts.map((text, index) => {
    const path = join(directory, String(index))
    writeFileSync(path, text)
    return path
  })
})

for (const { bad, fallback, good, name, read } of rows) {
  it.effect(`${name} MUST have its default if it is left out or empty`, () =>
    Effect.gen(function* () {
      for (const environment of [{}, { [name]: "" }, { [name]: undefined }, { [`${name}_FILE`]: "" }]) {
        expect(read(yield* readConfig(environment))).toEqual(fallback)
      }
    }),
  )

  it.effect(`${name} MUST mean the same from the environment and from the file that ${name}_FILE names`, () =>
    Effect.gen(function* () {
      for (const [given, meaning] of good) {
        expect(read(yield* readConfig({ ...besides(name), [name]: given }))).toEqual(meaning)
        const [path] = yield* files(`${given}\n`)
        expect(read(yield* readConfig({ ...besides(name), [`${name}_FILE`]: path, [name]: "" }))).toEqual(meaning)
      }
    }),
  )

  it.effect(`${name} MUST be refused if it is given twice or its file can't be read, without printing either`, () =>
    Effect.gen(function* () {
      const [given = ""] = good[0] ?? []
      const [path] = yield* files(given)
      expect(yield* problemsOf({ ...besides(name), [name]: given, [`${name}_FILE`]: path })).toEqual([
        `${name}: is given twice, as ${name} and as ${name}_FILE`,
      ])
      const problems = yield* problemsOf({ ...besides(name), [`${name}_FILE`]: "/nowhere/s3cretword" })
      expect(problems).toEqual([`${name}_FILE: can't be read (ENOENT)`])
    }),
  )

  if (bad.length === 0) continue
  it.effect(`${name} MUST be refused if it is invalid, by name and without its value`, () =>
    Effect.gen(function* () {
      for (const given of bad) {
        const [path] = yield* files(given)
        for (const environment of [{ [name]: given }, { [`${name}_FILE`]: path }]) {
          const problems = yield* problemsOf({ ...besides(name), ...environment })
          expect(problems).toHaveLength(1)
          expect(problems[0]).toMatch(new RegExp(`^${name}: [a-z]`))
          expect(problems[0]).not.toContain("s3cretword")
          expect(problems[0]).not.toContain(given.length > 4 ? given : "\u0000")
        }
      }
    }),
  )
}

it.effect("MUST report every problem at once, one line each, and no value", () =>
  Effect.gen(function* () {
    const wrong = rows.flatMap(({ bad, name }) => (bad[0] === undefined ? [] : [[name, bad[0]] as const]))
    const error = yield* Effect.flip(readConfig(Object.fromEntries(wrong)))
    expect(error.problems.map((problem) => problem.split(":")[0]).sort()).toEqual(wrong.map(([name]) => name).sort())
    expect(error.message.split("\n")).toHaveLength(1 + wrong.length)
    expect(error.message).not.toContain("s3cretword")
  }),
)

it.effect("MUST require both secrets with DATABASE_URL: nothing is generated for hosts that share a store", () =>
  Effect.gen(function* () {
    const DATABASE_URL = "postgres://me:s3cretword@db/shop"
    expect(yield* problemsOf({ DATABASE_URL })).toEqual([
      'DESIGNWIRE_MANAGE_KEY: is needed with DATABASE_URL; "designwire key" makes a new one',
      'DESIGNWIRE_ENCRYPTION_KEYS: is needed with DATABASE_URL; "designwire key" makes a new one',
    ])
    expect(yield* problemsOf({ DATABASE_URL, DESIGNWIRE_MANAGE_KEY: "0123456789abcdef" })).toHaveLength(1)
    yield* readConfig({ DATABASE_URL, ...required })
    yield* readConfig({ DATABASE_URL }, [])
    const { problems } = yield* Effect.flip(readConfig({ DATABASE_URL }, ["DESIGNWIRE_ENCRYPTION_KEYS"]))
    expect(problems).toEqual([expect.stringContaining("DESIGNWIRE_ENCRYPTION_KEYS")])
  }),
)

it.effect("MUST NOT show a secret when the configuration is printed", () =>
  Effect.gen(function* () {
    const secrets = {
      DATABASE_URL: "postgres://me:s3cretword@db/shop",
      DESIGNWIRE_MANAGE_KEY: "s3cretword0123456789",
      DESIGNWIRE_ENCRYPTION_KEYS: someKey(0x41),
      DESIGNWIRE_SHOPIFY_SECRET: "s3cretword-of-shopify",
      DESIGNWIRE_WOOCOMMERCE_SECRET: "s3cretword-of-woocommerce",
    }
    const config = yield* readConfig(secrets)
    for (const text of [
      JSON.stringify(config),
      String(config.databaseUrl),
      String(config.keyRing?.keys),
      String(config.ingest.shopify),
    ]) {
      expect(text).not.toContain("s3cretword")
      expect(text).not.toContain(someKey(0x41))
      expect(text).not.toContain("65,65")
    }
  }),
)

it("MUST be listed in the guide as it is declared: `npm run guides`", () => {
  const guide = readFileSync(join(import.meta.dirname, "REFERENCE.md"), "utf8")
  expect(guide).toContain(settingsTable())
  expect(withSettings(guide.replace("| `HOST` ", "| `HOSTS` "))).toBe(guide)
})

it.each(allSettings.flatMap((one) => (one.shown?.startsWith("`") === true ? [one] : [])))(
  "MUST have the usual value that the guide shows, or that of another setting: $variable",
  ({ fallback, parse, shown = "" }) => {
    const text = shown.replaceAll("`", "")
    const isOther = allSettings.some(({ variable }) => variable === text)
    // A setting that is left to others, such as the settings app, has no value here.
    if (fallback !== undefined) expect(parse(text)).toEqual(Result.succeed(fallback))
    else expect(isOther || Result.isSuccess(parse(text))).toBe(true)
  },
)
