import { spawn } from "node:child_process"
import { readFile } from "node:fs/promises"
import { Console, Context, Effect, Layer, Option, Result } from "effect"
import { SqlClient } from "effect/sql"
import {
  type Cell,
  checkMove,
  MoveError,
  type MoveProgress,
  moveShop,
  undoMove,
} from "../../../adapters/cells/index.ts"
import { layerCrypto } from "../../../adapters/node/index.ts"
import * as Postgres from "../../../adapters/postgres/index.ts"
import * as Sql from "../../../adapters/sql/index.ts"
import { reasonOf } from "../../../adapters/sql/statements/Reason.ts"
import { KeyRing } from "../../../core/ports/KeyRing.ts"
import { parseDatabaseUrl } from "../../../core/rules/catalog/ConfigValues.ts"
import { checkSecrets } from "../../../core/usecases/webhooks/ResealSecrets.ts"
import { configError, type HostConfig, readConfig } from "../ReadConfig.ts"
import { unopenedSentence } from "../Secrets.ts"

/** Which shops to move where. */
export interface MoveShopOptions {
  readonly shop: Option.Option<string>
  readonly from: string
  readonly to: string
  readonly dryRun: boolean
  readonly undo: boolean
  readonly targetLost: boolean
  readonly opened: Option.Option<string>
  readonly file: Option.Option<string>
}

/** `designwire shop move`: moves shops from one cell to another, one after the other, or takes their moves back. */
export const moveShops = Effect.fn("shop.move")(
  function* (options: MoveShopOptions) {
    const config = yield* readConfig(process.env, [])
    const shops = yield* shopsOf(options)
    const source = yield* open(config, "--from", options.from)
    const target = yield* open(config, "--to", options.to)
    if (options.targetLost && !options.undo) return yield* configError("--target-lost: is only for --undo")
    if (source.name === target.name) return yield* configError("--from and --to must be different databases")
    if (!options.undo) yield* Effect.forEach([source, target], (cell) => requireKeys(config, cell), { discard: true })
    const failed: Array<string> = []
    for (const shop of shops) {
      const move = {
        shop,
        source,
        target,
        schema: config.schema,
        onProgress: (each: MoveProgress) => showLine(progressLine(each)),
        onOpened: Option.match(options.opened, { onNone: () => Effect.void, onSome: runOpened }),
      }
      const outcome = options.dryRun
        ? Effect.as(checkMove(move), `${shop} can move from ${source.name} to ${target.name}`)
        : options.undo
          ? Effect.map(undoMove({ ...move, isTargetLost: options.targetLost }), (undone) =>
              undone ? `${shop} stays in ${source.name}` : `${shop} has no move to take back`,
            )
          : Effect.map(moveShop(move), (moved) =>
              moved ? `${shop} is in ${target.name} now` : `${shop} is in ${target.name} already`,
            )
      // Each opens as soon as it can; one that can't move keeps no other from it.
      const result = yield* Effect.result(outcome)
      if (Result.isSuccess(result)) yield* Console.log(result.success)
      else {
        failed.push(shop)
        yield* Console.error(`${shop}: ${reasonOf(result.failure)}`)
      }
    }
    if (failed.length > 0) {
      const again =
        options.dryRun || options.undo ? "" : ". Run the command again: it continues; with --undo it goes back"
      return yield* new MoveError({ message: `Not done: ${failed.join(", ")}${again}` })
    }
  },
  Effect.scoped,
  Effect.provide(layerCrypto),
)

/** Runs a command of the operator's shell. The move continues if it fails. */
const runOpened = (command: string): Effect.Effect<void> =>
  Effect.flatMap(
    Effect.callback<string | undefined>((resume) => {
      const child = spawn(command, { shell: true, stdio: ["ignore", 2, 2] })
      child.once("error", (error) => resume(Effect.succeed(error.message)))
      child.once("exit", (code, signal) =>
        resume(Effect.succeed(code === 0 ? undefined : `it ended with ${code ?? signal}`)),
      )
    }),
    (failure) => (failure === undefined ? Effect.void : Console.error(`--opened ${command}: ${failure}`)),
  )

/** The shop, or the shops of the file: an id on each line, and comments behind #. */
const shopsOf = Effect.fnUntraced(function* ({ file, shop }: MoveShopOptions) {
  if (Option.isSome(shop) === Option.isSome(file))
    return yield* configError("Name a shop, or a file of shops by --file")
  if (Option.isSome(shop)) return [shop.value]
  const path = Option.getOrElse(file, () => "")
  const text = yield* Effect.tryPromise({
    try: () => readFile(path, "utf8"),
    catch: (cause) => new MoveError({ message: `${path}: ${reasonOf(cause)}` }),
  })
  return text.split("\n").flatMap((line) => line.replace(/#.*/, "").trim() || [])
})

/** Opens a cell's database. Its name in messages has no password. */
const open = Effect.fnUntraced(function* (config: HostConfig, option: string, text: string) {
  const url = parseDatabaseUrl(text)
  if (Result.isFailure(url)) return yield* configError(`${option}: must be ${url.failure}`)
  const { host, pathname } = new URL(text)
  const client = Postgres.layerClient({ url: url.success, maxConnections: 2, schema: config.schema })
  const sql = Context.get(yield* Layer.build(Layer.fresh(client)), SqlClient.SqlClient)
  const cell: Cell = { name: host + pathname, sql, url: url.success }
  return cell
})

/** The hosts of both cells must open the same secrets. */
const requireKeys = Effect.fnUntraced(function* (config: HostConfig, { name, sql }: Cell) {
  const { keyRing } = config
  if (keyRing === undefined) {
    return yield* configError("DESIGNWIRE_ENCRYPTION_KEYS: is needed, with the keys of both cells")
  }
  const { total, unopened } = yield* checkSecrets.pipe(
    Effect.provideService(KeyRing, keyRing),
    Effect.provide(
      Layer.fresh(Sql.layerSingleProcess).pipe(
        Layer.provide(Layer.succeed(SqlClient.SqlClient, sql)),
        Layer.provide(Layer.succeed(Sql.SchemaName, config.schema)),
      ),
    ),
  )
  if (unopened.count === 0) return
  return yield* new MoveError({ message: `${name}: ${unopenedSentence(unopened, total)}` })
})

const width = 24

/** How far a move has got, as a bar with figures. */
const progressLine = ({ copied, errors, lag, rows, shop }: MoveProgress): string => {
  const part = rows === 0 ? 1 : copied / rows
  const full = Math.floor(part * width)
  return [
    `${shop} [${"#".repeat(full)}${"-".repeat(width - full)}] ${Math.floor(part * 100)} %`,
    `${copied} of ${rows} rows`,
    `${Math.round(lag / 1024)} KiB behind`,
    ...(errors === 0 ? [] : [`${errors} errors: see the log of the target's server`]),
  ].join("  ")
}

/** Shows on stderr how far a command has got: on a terminal one line that changes, otherwise a line each time. */
const showLine = (line: string): Effect.Effect<void> =>
  Effect.sync(() => {
    process.stderr.write(process.stderr.isTTY ? `\r\x1b[2K${line}` : `${line}\n`)
  })
