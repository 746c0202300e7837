import * as NodeSink from "@effect/platform-node/NodeSink"
import { Data, Effect, Option, Stream } from "effect"
import { layerCrypto } from "../../../adapters/node/index.ts"
import { exportShop } from "../../../core/usecases/bulk/ExportShop.ts"
import { readConfig } from "../ReadConfig.ts"
import { stores } from "../Stores.ts"
import { shopNamed } from "./Shop.ts"

/** The parameters of the command. */
export interface ExportOptions {
  readonly kind: "orders" | "designs"
  readonly since: Option.Option<string>
  readonly format: "jsonl" | "csv"
  readonly shop: Option.Option<string>
}

/** The reader of the export has ended, or a disk is full. */
class NotWritten extends Data.TaggedError("NotWritten")<{ readonly message: string }> {}

/** `designwire export`: writes a shop's orders or designs to stdout. */
export const exportRecords = Effect.fn("export")(function* ({ format, kind, shop: named, since }: ExportOptions) {
  const config = yield* readConfig(process.env, [])
  yield* Effect.gen(function* () {
    const shop = yield* shopNamed(named)
    const { text } = yield* exportShop(shop, { kind, format, since: Option.getOrUndefined(since) })
    yield* Stream.run(
      text,
      NodeSink.fromWritable({
        evaluate: () => process.stdout,
        onError: (error) =>
          new NotWritten({ message: `The export can't be written: ${(error as NodeJS.ErrnoException).code ?? error}` }),
        endOnDone: false,
      }),
    )
  }).pipe(Effect.provide(stores(config)), Effect.provide(layerCrypto))
})
