import { rmSync } from "node:fs"
import { open } from "node:fs/promises"
import type { Writable } from "node:stream"
import { finished } from "node:stream/promises"
import { Data, Effect, Exit, Stream } from "effect"
import { reasonOf } from "../../../adapters/sql/statements/Reason.ts"
import type { ExportInput } from "../../../core/model/queries/Inputs.ts"
import { exportShop } from "../../../core/usecases/bulk/ExportShop.ts"
import { readConfig } from "../ReadConfig.ts"
import { stores } from "../Stores.ts"

/** The export can't be written. */
export class ExportError extends Data.TaggedError("ExportError")<{ readonly message: string }> {}

export interface ExportOptions extends ExportInput {
  readonly shop: string
  /** A file; standard output without one. */
  readonly out: string | undefined
}

/** `designwire export`: writes the orders or designs of a shop. */
export const exportFile = Effect.fn("export")(function* ({ out, shop, ...input }: ExportOptions) {
  const config = yield* readConfig(process.env, [])
  yield* Effect.gen(function* () {
    const { lines } = yield* exportShop(shop, input)
    const target: Writable = out === undefined ? process.stdout : yield* created(out)
    // Each write says itself whether it failed, e.g. because `head` has read enough.
    target.on("error", () => undefined)
    yield* Stream.runForEachArray(lines, (chunk) => write(target, chunk.join("")))
    if (out !== undefined) yield* ending(target)
  }).pipe(Effect.scoped, Effect.provide(stores(config)))
})

/** A new file. It does not stay unless the export is whole. */
const created = (path: string) =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: async () => (await open(path, "wx")).createWriteStream(),
      catch: (cause) =>
        (cause as NodeJS.ErrnoException).code === "EEXIST"
          ? new ExportError({ message: `${path} exists already: name another file, or remove it` })
          : notWritten(cause),
    }),
    (file, exit) =>
      Effect.sync(() => {
        if (Exit.isSuccess(exit)) return
        file.destroy()
        rmSync(path, { force: true })
      }),
  )

/** Writes a text, and waits until there is room for the next one. */
const write = (target: Writable, text: string): Effect.Effect<void, ExportError> =>
  Effect.callback((resume) => {
    target.write(text, (error) => resume(error ? notWritten(error) : Effect.void))
  })

const ending = (target: Writable) =>
  Effect.tryPromise({
    try: () => finished(target.end()),
    catch: (cause) => new ExportError({ message: `The export can't be written: ${reasonOf(cause)}` }),
  })

const notWritten = (cause: unknown) => new ExportError({ message: `The export can't be written: ${reasonOf(cause)}` })
