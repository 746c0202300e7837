import { Clock, Console, Effect, Option, Result } from "effect"
import { format, parseDateOrDateTime } from "../../../core/model/Instant.ts"
import type { IngestSource } from "../../../core/model/ingest/InboxItem.ts"
import { Inbox, type PlatformPlace } from "../../../core/ports/Inbox.ts"
import { type Reconciled, reconcileNow } from "../../../core/usecases/ingest/Reconcile.ts"
import { agoOf } from "../laptop/ListenOptions.ts"
import type { HostConfig } from "../ReadConfig.ts"
import { foundBy } from "../Serve.ts"
import { askingPlatforms, PlatformError } from "./Services.ts"

export interface ReconcileCommand {
  readonly platform: Option.Option<IngestSource>
  readonly shop: Option.Option<string>
  readonly since: Option.Option<string>
  readonly dryRun: boolean
}

/** Connections that are read by one statement. */
const step = 200

/** The shops that have a connection with an access key. */
const shopsWithKey = Effect.fnUntraced(function* (platform: IngestSource | undefined) {
  const shops = new Set<string>()
  let after: PlatformPlace | null = null
  for (;;) {
    const page: Effect.Success<ReturnType<Inbox["Service"]["platforms"]>> = yield* Inbox.use((inbox) =>
      inbox.platforms({ after, limit: step }),
    )
    const asked = page.filter((each) => each.accessKey !== null && each.platform === (platform ?? each.platform))
    for (const { shop } of asked) shops.add(shop)
    after = page.at(-1) ?? null
    if (page.length < step) return [...shops]
  }
})

/** The result of a look, as lines. */
const report = ({ platform, result, shop, since }: Reconciled): ReadonlyArray<string> => {
  const name = `${shop} ${platform}`
  if (Result.isFailure(result)) return [`${name}: ${result.failure.message}`]
  const { changed, found, gone, kept } = result.success
  return [
    `${name}: ${changed} orders were changed since ${format(since)}, ${found.length} of them had not come`,
    ...found.map(({ order, reason, state }) =>
      [`${name}: found ${order}`, ...(state === null ? [] : [state]), ...(reason === null ? [] : [reason])].join(" "),
    ),
    ...gone.map((order) => `${name}: gone there and made here: ${order}`),
    ...(kept.missing.length === 0
      ? []
      : [
          `${name}: webhooks are gone or switched off: ${kept.missing.join(", ")}; "designwire platform connect" ` +
            "registers them again",
        ]),
  ]
}

/** `designwire reconcile`: looks for orders that never came. */
export const reconcile = Effect.fn("reconcile")(function* (options: ReconcileCommand) {
  const now = yield* Clock.currentTimeMillis
  const since = Option.map(options.since, (text) => ({ text, instant: parseDateOrDateTime(text) ?? agoOf(text, now) }))
  if (Option.isSome(since) && since.value.instant === undefined) {
    const message = `--since ${since.value.text}: must be a date, an RFC 3339 time, or how long ago, such as 2026-11-01 or 2h`
    return yield* new PlatformError({ message })
  }
  yield* askingPlatforms("designwire reconcile", looking(options, Option.getOrUndefined(since)?.instant))
})

const looking = (options: ReconcileCommand, since: number | undefined) => (config: HostConfig) =>
  Effect.gen(function* () {
    const platform = Option.getOrUndefined(options.platform)
    const shops = Option.isSome(options.shop) ? [options.shop.value] : yield* shopsWithKey(platform)
    if (shops.length === 0) yield* Console.log("No shop has a connection with an access key")
    let failed = 0
    for (const shop of shops) {
      const { properties } = foundBy(config)
      const looks = yield* reconcileNow({ shop, platform, since, isDry: options.dryRun, properties })
      for (const line of looks.flatMap(report)) yield* Console.log(line)
      failed += looks.filter(({ result }) => Result.isFailure(result)).length
    }
    if (failed > 0) yield* new PlatformError({ message: `${failed} of the platforms could not be asked` })
  })
