import { ReadBody } from "../../../core/api/ErrorAnswers.ts"

/** A body that was read before. Whatever reads it again fails by its name; other requests don't notice. */
export const readBefore = (): ReadableStream<Uint8Array> =>
  new ReadableStream({ pull: (controller) => controller.error(new ReadBody()) }, { highWaterMark: 0 })

/** The same request, with a body that was read before. */
export const withReadBody = (request: Request): Request => {
  const { headers, method, signal, url } = request
  const init = { method, headers, signal, body: readBefore(), duplex: "half" as const }
  const made = new Request("http://localhost/", init)
  // Unchanged: a URL would resolve `%2e%2e` (D15).
  return Object.defineProperties(made, { url: { value: url }, method: { value: method } })
}
