import { makeZip } from "client-zip"
import { Cause, Effect, Exit, Result, Scope, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import {
  listPictures,
  makeOpenFile,
  mostPictures,
  type OrderPicture,
} from "../../../../core/usecases/orders/OrderPictures.ts"
import { currentId } from "../../CurrentRecord.ts"
import { errorPage } from "../../Failure.tsx"
import type { Route } from "../../Routes.ts"
import { CurrentShop, Visit } from "../../Visit.ts"

/** The most downloads at once in this process. */
const mostDownloads = 4

/** The part of a file's name that stands for a text: without characters that some system refuses. */
const safe = (text: string): string =>
  [...text.replaceAll(/[<>:"/\\|?*\p{C}]/gu, "_")]
    .slice(0, 60)
    .join("")
    .replaceAll(/^[ .]+|[ .]+$/g, "") || "_"

/** The names of an order's pictures in the archive, each different: the order, the line, the design and the view. */
const namesOf = (order: string, pictures: ReadonlyArray<OrderPicture>): ReadonlyArray<string> => {
  const taken = new Set<string>()
  return pictures.map(({ designId, line, url, view }) => {
    const [ending = ""] = /\.[a-z0-9]{1,5}$/i.exec(URL.parse(url)?.pathname ?? "") ?? []
    const name = `${safe(order)}/${[line, designId, view].map(safe).join(" ")}`
    let different = name
    // Some systems take names for equal that differ in case.
    for (let at = 2; taken.has(different.toLowerCase()); at++) different = `${name} (${at})`
    taken.add(different.toLowerCase())
    return different + ending
  })
}

/** The archive as it is made: each picture that can be read, and `not-fetched.txt` if there are others. */
const archive = Effect.fnUntraced(function* (
  shop: string,
  { order, pictures }: Effect.Success<ReturnType<typeof listPictures>>,
) {
  const { figures, texts } = yield* Visit
  const { cut, faults, more, status } = texts.ticket.pictures
  const openFile = yield* makeOpenFile(shop)
  const scope = yield* Effect.scope
  const ended = new AbortController()
  yield* Effect.addFinalizer(() => Effect.sync(() => ended.abort()))
  const names = namesOf(order.name, pictures)
  async function* files() {
    const missing = pictures.length > mostPictures ? [more(figures.figure(mostPictures))] : []
    for (const [at, { url }] of pictures.slice(0, mostPictures).entries()) {
      const name = names[at] ?? ""
      const own = await Effect.runPromise(Scope.fork(scope))
      const next = await Effect.runPromise(Scope.provide(openFile(url), own))
      /** The next bytes; `null` at the end, `undefined` after a failure, which it notes. */
      const read = async (effect = "") => {
        const result = await Effect.runPromise(Effect.result(next), { signal: ended.signal })
        if (Result.isSuccess(result)) return result.success
        const { reason, statusCode } = result.failure
        missing.push(`${name}: ${statusCode === undefined ? faults[reason] : status(statusCode)}${effect}`, `  ${url}`)
        return undefined
      }
      const bytes = async function* (first: Awaited<ReturnType<typeof read>>) {
        for (let chunks = first; chunks != null; chunks = await read(`; ${cut}`)) yield* chunks
      }
      const first = await read()
      if (first !== undefined) yield { name, input: bytes(first) }
      await Effect.runPromise(Scope.close(own, Exit.void))
    }
    if (missing.length > 0) yield { name: "not-fetched.txt", input: `${missing.join("\r\n")}\r\n` }
  }
  const reader = makeZip(files()).getReader()
  // `Stream.fromReadableStream` would wait for the picture under way before it ends.
  const read = Effect.flatMap(
    Effect.promise(() => reader.read()),
    ({ value }) => (value === undefined ? Cause.done() : Effect.succeed([value] as const)),
  )
  return Stream.fromPull(Effect.succeed(read))
})

/** The download of all pictures of an order. */
export const pictureRoutes = (): ReadonlyArray<Route> => {
  let underWay = 0
  const slot = Effect.acquireRelease(
    Effect.sync(() => underWay++),
    () => Effect.sync(() => underWay--),
  )
  const handler = Effect.gen(function* () {
    const visit = yield* Visit
    const { shop } = yield* CurrentShop
    const { busy, busyText } = visit.texts.ticket.pictures
    const list = yield* listPictures(shop.id, (yield* currentId).id)
    if (underWay >= mostDownloads) {
      return HttpServerResponse.setHeader(yield* errorPage(503, busy, busyText), "retry-after", "60")
    }
    const context = yield* Effect.context<Effect.Services<ReturnType<typeof makeOpenFile>> | Visit>()
    const zip = Stream.unwrap(Effect.andThen(slot, archive(shop.id, list)))
    const name = encodeURIComponent(`${safe(list.order.name)}.zip`).replaceAll("'", "%27")
    return HttpServerResponse.stream(Stream.provideContext(zip, context), {
      contentType: "application/zip",
      headers: {
        "cache-control": "no-store, no-transform",
        "content-disposition": `attachment; filename="pictures.zip"; filename*=UTF-8''${name}`,
      },
    })
  })
  return [{ method: "GET", path: "/orders/:id/pictures.zip", for: "store", handler }]
}
