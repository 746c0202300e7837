import { Clock, Effect, Option, Pull, Stream } from "effect"
import { type Design, fromWire } from "../../model/catalog/Design.ts"
import { NotFound } from "../../model/Errors.ts"
import { fromHead } from "../../model/orders/Order.ts"
import { orderById } from "../../model/orders/OrderSearch.ts"
import { FileNotRead, FileReader } from "../../ports/FileReader.ts"
import { HostLookup } from "../../ports/HostLookup.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import { WebhookPolicy } from "../../ports/WebhookPolicy.ts"
import { makeApprove } from "../../support/Approval.ts"
import { isOrderId } from "../../support/ShopRecords.ts"

/** A picture of a design of an order, or an upload whose id is an address. */
export interface OrderPicture {
  readonly line: string
  readonly designId: string
  /** The view's name, or the id of the upload's question. */
  readonly view: string
  readonly url: string
}

/** The most pictures of an order that are read, and designs that are looked at together. */
export const mostPictures = 200
const page = { limit: 20, bytes: 32 * 1024 }

const addressOf = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string" && /^https?:\/\//i.test(value) ? [value] : []

/** The pictures of a design, and its uploads whose ids are addresses: only the shop can read other ids. */
const picturesOf = ({ id, images, order, selection }: Design, lines: ReadonlyArray<string>) => {
  const uploads = Object.entries(selection).flatMap(([question, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap(addressOf).map((url) => [question, url] as const),
  )
  const line = lines.length === 0 ? (order?.lineItemId ?? "") : lines.join("+")
  return [...Object.entries(images), ...uploads].map(([view, url]): OrderPicture => ({ line, designId: id, view, url }))
}

/** The pictures of all designs of an order, at most {@link mostPictures} and one. Fails with `NotFound`. */
export const listPictures = Effect.fnUntraced(function* (shop: string, id: string) {
  const store = yield* OrderStore
  const stored = Option.getOrUndefined(yield* store.orderLines(shop, id))
  const pictures: Array<OrderPicture> = []
  for (let skip = 0; ; skip += page.limit) {
    const query = orderById(shop, id, { ...page, skip })
    const [found] = isOrderId(id) ? (yield* store.search(query)).orders : []
    if (found === undefined) return yield* new NotFound({ message: "There is no such order" })
    for (const { id: designId, wire } of found.designs) {
      const text = wire ?? Option.getOrUndefined(yield* store.readDesign(shop, designId))?.wire
      if (text === undefined) continue
      const lines = stored?.lines.filter((line) => line.designId === designId && line.quantity > 0) ?? []
      const names = lines.map(({ lineItemId }) => lineItemId)
      pictures.push(...picturesOf(fromWire(text), names))
    }
    if (pictures.length > mostPictures || skip + page.limit >= found.total) {
      return { order: fromHead(found.order.head), pictures: pictures.slice(0, mostPictures + 1) }
    }
  }
})

/** The most bytes of a file, and of all files together. */
const [mostBytes, mostBytesOfAll] = [50 * 1024 ** 2, 500 * 1024 ** 2]

/** Milliseconds that a file may take, and that may pass without a byte of it: servers end answers that stand still. */
const [longest, longestSilence] = [30_000, 8_000]

/**
 * Makes a reader of a shop's files, with a bound for all of them. It opens a file until the scope closes, and returns
 * an effect that reads its next bytes; `null` at its end. A host that could not be reached is not tried again.
 */
export const makeOpenFile = Effect.fnUntraced(function* (shop: string) {
  const approve = makeApprove(yield* WebhookPolicy, (yield* HostLookup).lookup)
  const { read } = yield* FileReader
  const lost = new Map<string, FileNotRead>()
  let bytesOfAll = 0

  const approved = (url: string) =>
    approve({ shop, url }).pipe(
      Effect.map(({ addresses, destination }) => read({ url: destination.href, addresses })),
      Effect.mapError(({ _tag }) => new FileNotRead({ reason: _tag === "LookupFailed" ? "lookup" : "refused" })),
    )

  return Effect.fnUntraced(function* (url: string) {
    const origin = URL.parse(url)?.origin ?? ""
    const pull = yield* Stream.toPull(Stream.unwrap(approved(url)))
    const end = (yield* Clock.currentTimeMillis) + longest
    let bytes = 0
    return Effect.gen(function* () {
      const before = bytes === 0 ? lost.get(origin) : undefined
      if (before !== undefined) return yield* before
      const left = end - (yield* Clock.currentTimeMillis)
      const chunks = yield* pull.pipe(
        Effect.timeoutOrElse({
          duration: Math.max(0, Math.min(left, longestSilence)),
          orElse: () => Effect.fail(new FileNotRead({ reason: "late" })),
        }),
        Pull.catchDone(() => Effect.succeed(null)),
        Effect.tapError((fault) =>
          Effect.sync(() => {
            if (bytes === 0 && ["lookup", "connect", "late"].includes(fault.reason)) lost.set(origin, fault)
          }),
        ),
      )
      if (chunks === null) return null
      const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
      bytes += length
      bytesOfAll += length
      if (bytes > mostBytes) return yield* new FileNotRead({ reason: "large" })
      if (bytesOfAll > mostBytesOfAll) return yield* new FileNotRead({ reason: "full" })
      return chunks
    })
  })
})
