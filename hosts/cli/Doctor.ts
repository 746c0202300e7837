import { existsSync } from "node:fs"
import { join } from "node:path"
import { Clock, Console, Data, Effect, Exit, Layer, Result } from "effect"
import { IpNetwork } from "effect/net"
import { SqlClient } from "effect/sql"
import { listShops } from "../../adapters/cells/index.ts"
import { layerCrypto, layerLookup } from "../../adapters/node/index.ts"
import * as Sql from "../../adapters/sql/index.ts"
import { compare } from "../../adapters/sql/schema/Migrations.ts"
import { reasonOf } from "../../adapters/sql/statements/Reason.ts"
import { printableLines } from "../../core/model/log/Printable.ts"
import { type EndpointPlace, EndpointStore } from "../../core/ports/EndpointStore.ts"
import { HostLookup } from "../../core/ports/HostLookup.ts"
import { KeyRing } from "../../core/ports/KeyRing.ts"
import { checkUrl } from "../../core/rules/webhooks/PublicHost.ts"
import { checkSecrets } from "../../core/usecases/webhooks/ResealSecrets.ts"
import { compareAddress, compareCell, withoutMap } from "./cells/CompareCell.ts"
import { readPlaces } from "./cells/PlacementFile.ts"
import { compareClocks } from "./DatabaseClock.ts"
import { readKeyRing } from "./Keys.ts"
import { examineNameServers, publicName } from "./NameServers.ts"
import { listening } from "./Pooler.ts"
import { type HostConfig, readConfig } from "./ReadConfig.ts"
import { unopenedSentence } from "./Secrets.ts"
import { client, requireCurrent } from "./Stores.ts"
import { examineWebhookProxy } from "./WebhookProxy.ts"

/**
 * Compares the clock with the database's, which stands for the clocks of other hosts. Returns a sentence; fails with
 * `ClocksApart`.
 */
const checkClock = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const before = yield* Clock.currentTimeMillis
  const [row] = yield* sql<{ now: number }>`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`
  const after = yield* Clock.currentTimeMillis
  return yield* Effect.fromResult(compareClocks(before, row?.now ?? before, after))
})

/** Something that a host needs is wrong. */
class Unfit extends Data.TaggedError("Unfit")<{ readonly message: string }> {}

/** A thing that was checked, and its state. */
interface Finding {
  readonly what: string
  /** A note is about a state that may be intended. */
  readonly verdict: "ok" | "note" | "WRONG"
  readonly sentence: string
}

/**
 * `designwire doctor`: checks everything that a host needs and prints the state of each thing. Fails if something is
 * wrong. Changes nothing, and creates no embedded database.
 */
export const doctor = Effect.fn("doctor")(function* () {
  const config = yield* readConfig(process.env)
  const findings: ReadonlyArray<Finding> = [
    { what: "configuration", verdict: "ok", sentence: "can be used" },
    ...(yield* examineDatabase({ ...config, databaseWait: 0 })),
    yield* nameServers,
    { what: "webhooks", verdict: "ok", sentence: destinations(config) },
    ...(config.webhookProxy === undefined ? [] : [yield* webhookProxy(config.webhookProxy)]),
    { what: "connections", verdict: "ok", sentence: connections(config) },
  ]
  for (const { sentence, verdict, what } of findings)
    yield* Console.log(printableLines(`${verdict}\t${what}: ${sentence}`))
  const wrong = findings.filter(({ verdict }) => verdict === "WRONG").map(({ what }) => what)
  if (wrong.length > 0) yield* new Unfit({ message: `Not as it should be: ${wrong.join(", ")}` })
}, Effect.provide(layerCrypto))

/** Checks one thing with an effect that returns a sentence, or fails with the problem. */
const examine = <E, R>(what: string, effect: Effect.Effect<string, E, R>): Effect.Effect<Finding, never, R> =>
  Effect.match(effect, {
    onSuccess: (sentence): Finding => ({ what, verdict: "ok", sentence }),
    onFailure: (error): Finding => ({ what, verdict: "WRONG", sentence: reasonOf(error) }),
  })

const examineDatabase = Effect.fnUntraced(function* (config: HostConfig) {
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDirectory, "pgdata"))) {
    const sentence = `embedded; the first start makes it in ${config.dataDirectory}`
    return [{ what: "database", verdict: "ok", sentence } satisfies Finding]
  }
  const opened = yield* Effect.exit(Layer.build(client(config)))
  if (Exit.isFailure(opened)) return [yield* examine("database", Effect.failCause(opened.cause))]
  const findings = Effect.gen(function* () {
    const schema = yield* examine("schema", config.databaseUrl === undefined ? embeddedSchema : serverSchema)
    return [
      yield* examine("database", Effect.succeed(config.databaseUrl === undefined ? "embedded" : "answers")),
      yield* examine("clock", checkClock),
      schema,
      ...(schema.verdict === "WRONG"
        ? []
        : [
            yield* examine("keys", Effect.provide(everySecretOpens(config), Sql.layerSingleProcess)),
            ...(yield* Effect.provide(examineEndpoints(config), Sql.layerSingleProcess)),
            ...(yield* examineCell(config)),
          ]),
    ]
  })
  const channels =
    config.databaseUrl === undefined ? [] : [yield* examine("LISTEN", listening(config, config.databaseUrl))]
  return [...(yield* Effect.provideContext(findings, opened.value)), ...channels]
}, Effect.scoped)

/** Notes endpoints that the configuration refuses: those of a restored backup may need settings that are gone. */
const examineEndpoints = Effect.fnUntraced(function* ({ webhookPolicy }: HostConfig) {
  const { all } = yield* EndpointStore
  const refused: Array<string> = []
  let [after, total]: [EndpointPlace | null, number] = [null, 0]
  for (let page = yield* all(after, 200); page.length > 0; page = yield* all(after, 200)) {
    for (const { id, shop, url } of page) {
      const judged = checkUrl(url, webhookPolicy)
      if (Result.isFailure(judged)) refused.push(`${id} of ${shop}: ${judged.failure}`)
    }
    total += page.length
    after = page.at(-1) ?? null
  }
  const [first] = refused
  if (first === undefined) return []
  const sentence = `${refused.length} of ${total} can't be reached with this configuration, such as ${first}`
  return [{ what: "endpoints", verdict: "note", sentence } satisfies Finding]
})

/** Compares the shops with the proxies' map, and with the addresses that the proxies have for them. */
const examineCell = Effect.fnUntraced(function* ({ cell, cellsFile, publicUrl, schema }: HostConfig) {
  const compared = Effect.gen(function* () {
    const shops = yield* listShops(yield* SqlClient.SqlClient, schema)
    const hasMap = cell !== undefined && cellsFile !== undefined
    const placed = hasMap ? compareCell(shops, cell, yield* readPlaces(cellsFile)) : withoutMap(shops)
    const addressed = compareAddress(shops, publicUrl, hasMap)
    return [
      ...(placed === undefined ? [] : [{ what: "cell", ...placed } satisfies Finding]),
      ...(addressed === undefined ? [] : [{ what: "address", ...addressed } satisfies Finding]),
    ]
  })
  const found = yield* Effect.result(compared)
  return Result.isFailure(found) ? [yield* examine("cell", Effect.fail(found.failure))] : found.success
})

const embeddedSchema = Effect.map(compare, ({ missing, newer }) =>
  missing.length === 0 ? currentSentence(newer) : `lacks ${missing.join(", ")}, which the next start adds`,
)

const serverSchema = Effect.andThen(
  requireCurrent,
  Effect.map(compare, ({ newer }) => currentSentence(newer)),
)

const currentSentence = (newer: ReadonlyArray<string>): string =>
  newer.length === 0 ? "current" : `newer than this version, which works with it: it has ${newer.join(", ")}`

const everySecretOpens = Effect.fnUntraced(function* (config: HostConfig) {
  const kept = join(config.dataDirectory, "encryption-key")
  if (config.keyRing === undefined && !existsSync(kept)) {
    const endpoints = yield* EndpointStore.use(({ all }) => all(null, 1))
    if (endpoints.length === 0) return `the first start keeps a new one in ${kept}`
    return yield* new Unfit({ message: `${kept} is gone, with which the signing secrets were sealed: restore it` })
  }
  const keyRing = yield* readKeyRing(config)
  const { total, unopened } = yield* Effect.provideService(checkSecrets, KeyRing, keyRing)
  if (unopened.count > 0) return yield* new Unfit({ message: unopenedSentence(unopened, total) })
  return `open all ${total} signing secrets`
})

const nameServers = Effect.match(examineNameServers(), {
  onSuccess: ({ isPublic, sentence }): Finding => ({
    what: "name server",
    verdict: isPublic ? "ok" : "note",
    sentence,
  }),
  onFailure: ({ message }): Finding => ({ what: "name server", verdict: "WRONG", sentence: message }),
})

/** An address of documentation (RFC 5737), to which a proxy can't connect. It shows whether the proxy would. */
const nobody = "192.0.2.1"

const webhookProxy = (proxy: NonNullable<HostConfig["webhookProxy"]>) =>
  HostLookup.use(({ lookup }) => lookup(publicName)).pipe(
    Effect.map(([address = nobody]) => address),
    Effect.catch(() => Effect.succeed(nobody)),
    Effect.provide(layerLookup()),
    Effect.flatMap((address) => examineWebhookProxy(proxy, address)),
    Effect.match({
      onSuccess: ({ connects, sentence }): Finding => ({
        what: "webhook proxy",
        verdict: connects ? "ok" : "note",
        sentence,
      }),
      onFailure: ({ message }): Finding => ({ what: "webhook proxy", verdict: "WRONG", sentence: message }),
    }),
  )

const list = (networks: ReadonlyArray<IpNetwork.IpNetwork>): string => networks.map(IpNetwork.format).join(", ")

/** The bounds of connections. */
const connections = ({ limits: { maximumPerAddress, proxies } }: HostConfig): string =>
  [
    `at most ${maximumPerAddress} of one address (DESIGNWIRE_CONNECTIONS_PER_ADDRESS)`,
    proxies.length > 0
      ? `any number of ${list(proxies)} (DESIGNWIRE_PROXY_NETWORKS)`
      : "behind a proxy, name its network in DESIGNWIRE_PROXY_NETWORKS",
  ].join("; ")

/** The allowed destinations of webhooks. */
const destinations = ({ webhookPolicy: { allowHttp, allowNetworks, denyNetworks = [] } }: HostConfig): string => {
  return [
    `go to public hosts over https${allowHttp ? " and http (DESIGNWIRE_ALLOW_HTTP)" : ""}`,
    ...(allowNetworks.length > 0 ? [`also to ${list(allowNetworks)} (DESIGNWIRE_ALLOW_NETWORKS)`] : []),
    ...(denyNetworks.length > 0 ? [`never to ${list(denyNetworks)} (DESIGNWIRE_DENY_NETWORKS)`] : []),
  ].join("; ")
}
