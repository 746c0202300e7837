/** Valid options, and the problems of options that can't be used. */
import { Effect, Redacted, Result } from "effect"
import { describe, expect, it } from "vitest"
import { encryptionKeys } from "../../conformance/testkit/hosts/EmbedWorld.ts"
import { readConfig } from "../cli/ReadConfig.ts"
import { createDesignwire, type DesignwireOptions, InvalidInput } from "./index.ts"
import { readOptions } from "./ReadOptions.ts"

const minimal: DesignwireOptions = { database: { memory: true }, encryptionKeys }

const url = "postgres://me:s3cretword@db:5432/shop"

/** The problems of options, by their paths. */
const problemsOf = (options: object): Readonly<Record<string, string>> =>
  Result.match(readOptions(options as DesignwireOptions), {
    onFailure: (problems) => Object.fromEntries(problems.map(({ message, path }) => [path, message])),
    onSuccess: () => ({}),
  })

const configOf = (options: DesignwireOptions) => Result.getOrThrow(readOptions(options))

describe("createDesignwire", () => {
  it("MUST report all problems of the options at once, and repeat none of their values", async () => {
    const options = {
      database: { url: "mysql://me:s3cretword@db/shop", pooler: "session", listenUrl: "s3cretword", maxConnections: 0 },
      encryptionKeys: "s3cretword",
      serviceName: "s3cretword and spaces",
      retrySchedule: "soon",
      deliveryLog: "50",
      drafts: "50",
      allowNetworks: "s3cretword",
      denyNetworks: 7,
      allowHttp: "true",
      concurrency: 0,
      rateLimit: 0,
      webhookProxy: "ftp://me:s3cretword@proxy",
      schema: "Schema",
      notifyInTransactions: "no",
      imageUrls: "https://images.example.com",
      onNotice: "mail",
      ingest: { path: "/hooks/", shopify: { secret: "s3cretword", property: 7 }, woocommerce: "s3cretword" },
      colour: "blue",
    }
    const error = await createDesignwire(options as never).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(InvalidInput)
    const { message, problems } = error as InvalidInput
    expect(problems.map(({ path }) => path).toSorted()).toEqual(
      [
        "allowHttp",
        "allowNetworks",
        "colour",
        "concurrency",
        "deliveryLog",
        "drafts",
        "database.listenUrl",
        "database.maxConnections",
        "database.pooler",
        "database.url",
        "denyNetworks",
        "encryptionKeys",
        "imageUrls",
        "ingest.path",
        "ingest.shopify.property",
        "ingest.shopify.secret",
        "ingest.woocommerce",
        "notifyInTransactions",
        "onNotice",
        "rateLimit",
        "retrySchedule",
        "schema",
        "serviceName",
        "webhookProxy",
      ].toSorted(),
    )
    for (const { message: sentence, path } of problems) expect(message).toContain(`\n  ${path}: ${sentence}`)
    expect(message).not.toContain("s3cretword")
    expect((error as InvalidInput).stack).toMatch(/can't be used:(.|\n)*?\n +at [^\n]*ReadOptions\.test\.ts/)
  })

  it.each([undefined, null, "options", {}, { encryptionKeys: "" }])(
    "MUST say what is needed if it is given %j",
    (options) => {
      expect(problemsOf(options as never)).toMatchObject({
        database: expect.stringMatching(/^must be \{ url \}, \{ directory \}, \{ memory: true \}, or a pool/),
        encryptionKeys: expect.stringMatching(/"npx designwire key" makes one/),
      })
    },
  )

  it.each([
    ["two databases", { memory: true, url }],
    ["no database", { memory: undefined }],
    ["a pool as its library made it", { query: () => [], connect: () => undefined }],
  ])("MUST refuse %s", (_, database) => {
    expect(problemsOf({ ...minimal, database })).toHaveProperty("database")
  })

  it.each(["orders", "/orders/", "/a b", "/../x", ""])("MUST refuse the base path %j", (basePath) => {
    expect(problemsOf({ ...minimal, basePath })).toHaveProperty("basePath")
  })

  it.each([
    [7, { ingest: "must be { shopify, woocommerce }" }],
    [{}, { ingest: "must have shopify or woocommerce" }],
    [{ shopify: { secret: undefined } }, { "ingest.shopify.secret": "is needed" }],
    [{ shopify: { secret: "" } }, { "ingest.shopify.secret": "is needed" }],
    [{ woocommerce: { secret: [] } }, { "ingest.woocommerce.secret": expect.stringMatching(/^must be at least 16/) }],
    [{ shopify: { secret: [7] } }, { "ingest.shopify.secret": expect.stringMatching(/^must be at least 16/) }],
    [{ shopfy: { secret: "x" } }, { "ingest.shopfy": expect.stringContaining("shopify") }],
    [
      { path: "/api/v1", shopify: { secret: "0123456789abcdef", colour: "red" } },
      {
        "ingest.path": "must be another path than basePath and settings.path",
        "ingest.shopify.colour": expect.any(String),
      },
    ],
  ])("MUST say what is wrong with the platforms %j", (ingest, problems) => {
    expect(problemsOf({ ...minimal, ingest })).toEqual({ ...problemsOf({ ...minimal, ingest }), ...problems })
  })

  it("MUST treat undefined options as left out", () => {
    const names = ["basePath", "publicUrl", "imageUrls", "serviceName", "retrySchedule", "allowNetworks", "colour"]
    const options = { ...minimal, ...Object.fromEntries(names.map((name) => [name, undefined])) }
    expect(configOf(options)).toEqual(configOf(minimal))
  })

  it("MUST take arrays for lists, and refuse parts that are no texts or have commas", () => {
    const keys = [encryptionKeys, Buffer.alloc(32, 1).toString("base64")]
    const lists = { retrySchedule: ["1s", "2m"], allowNetworks: ["127.0.0.0/8", "::1/128"], denyNetworks: [] }
    const texts = { retrySchedule: "1s,2m", allowNetworks: "127.0.0.0/8,::1/128" }
    const { keyRing, ...config } = configOf({ ...minimal, encryptionKeys: keys, ...lists })
    const { keyRing: expected, ...rest } = configOf({ ...minimal, encryptionKeys: keys.join(), ...texts })
    expect(config).toEqual(rest)
    expect(keyRing.keys.map(Redacted.value)).toEqual(expected.keys.map(Redacted.value))
    for (const retrySchedule of [[], [7], ["1s,2m"], [undefined], [["1s"]]]) {
      expect(problemsOf({ ...minimal, retrySchedule })).toHaveProperty("retrySchedule")
    }
    expect(problemsOf({ ...minimal, allowNetworks: [""], encryptionKeys: [] })).toMatchObject({
      allowNetworks: expect.stringMatching(/^must be /),
      encryptionKeys: expect.stringMatching(/^must be /),
    })
  })

  it("MUST give its options the meaning of the command's variables", async () => {
    const keys = `${encryptionKeys}, ${Buffer.alloc(32, 1).toString("base64")}`
    const options = configOf({
      database: { url, pooler: "transaction", listenUrl: url },
      encryptionKeys: keys,
      serviceName: "Acme",
      retrySchedule: "1s, 2m",
      allowNetworks: "127.0.0.0/8",
      denyNetworks: "10.0.0.0/8, ::1/128",
      allowHttp: true,
      concurrency: 7,
      rateLimit: 600,
      webhookProxy: "http://me@proxy:3128",
      schema: "designs",
    })
    const config = await Effect.runPromise(
      readConfig({
        DATABASE_URL: url,
        DESIGNWIRE_DATABASE_POOLER: "transaction",
        DESIGNWIRE_LISTEN_URL: url,
        DESIGNWIRE_MANAGE_KEY: "0123456789abcdef",
        DESIGNWIRE_ENCRYPTION_KEYS: keys,
        DESIGNWIRE_SERVICE_NAME: "Acme",
        DESIGNWIRE_RETRY_SCHEDULE: "1s, 2m",
        DESIGNWIRE_RATE_LIMIT: "600",
        DESIGNWIRE_WEBHOOK_PROXY: "http://me@proxy:3128",
        DESIGNWIRE_ALLOW_NETWORKS: "127.0.0.0/8",
        DESIGNWIRE_DENY_NETWORKS: "10.0.0.0/8, ::1/128",
        DESIGNWIRE_ALLOW_HTTP: "true",
        DESIGNWIRE_CONCURRENCY: "7",
        DESIGNWIRE_SCHEMA: "designs",
      }),
    )
    const { rateLimit, schema, serviceName, webhookPolicy, worker } = config
    expect(options).toMatchObject({ rateLimit, schema, serviceName, webhookPolicy, worker })
    expect(options.keyRing.keys.map(Redacted.value)).toEqual(config.keyRing?.keys.map(Redacted.value))
    expect(options.webhookProxy && Redacted.value(options.webhookProxy)).toBe("http://me@proxy:3128")
    const { databaseUrl, listenUrl, pooler } = config
    expect(options.database).toEqual({ kind: "server", options: { url: databaseUrl, listenUrl, pooler } })
  })
})
