import { describe, isPlainObject, quote } from "../../model/json/Json.ts"
import type { Shop } from "../../model/shops/Shop.ts"
import { isStorable } from "../../model/Text.ts"

/** URLs of a design's images (§2.1). */
export interface ImageUrls {
  readonly images: Readonly<Record<string, string>>
  readonly thumbnail: string
}

/** Makes a design's image URLs from the views of its definition, in order. Equal arguments always give equal URLs. */
export type ImageUrlsOf = (shop: Shop, designId: string, views: ReadonlyArray<string>) => ImageUrls

/**
 * What is wrong with the result of an embedder's {@link ImageUrlsOf}, in a sentence for its programmer; `undefined` if
 * it can be stored. The function may have no types, or be `async`.
 */
export const imageUrlsProblem = (made: unknown, designId: string): string | undefined => {
  const problem = (what: string) =>
    `imageUrls must return { images: { [view]: URL }, thumbnail: URL }, with texts as URLs; for the design ` +
    `${quote(designId)} ${what}`
  if (made instanceof Promise) return problem("it returned a promise")
  if (!isPlainObject(made)) return problem(`its result is ${describe(made)}`)
  const { images, thumbnail } = made
  if (!isPlainObject(images)) return problem(`images is ${describe(images)}`)
  for (const [name, url] of [...Object.entries(images), ["thumbnail", thumbnail] as const]) {
    if (typeof url !== "string") return problem(`${quote(name)} is ${describe(url)}`)
    if (!isStorable(url)) return problem(`${quote(name)} has NUL or half of a surrogate pair`)
  }
  return undefined
}

/** Default (D7): `{imageBase}/designs/{designId}/{view}.png`, plus `{firstView}_thumb.png`. */
export const imageUrls: ImageUrlsOf = (shop, designId, views) => {
  const base = `${shop.imageBase.replace(/\/+$/, "")}/designs/${segment(designId)}`
  const url = (name: string): string => `${base}/${encodeURIComponent(name)}.png`
  return {
    // fromEntries makes own properties, even for a view named __proto__.
    images: Object.fromEntries(views.map((view) => [view, url(view)])),
    thumbnail: url(`${views[0] ?? ""}_thumb`),
  }
}

/**
 * Image URLs of a draft that is saved again. A published URL never changes (D7), so views that the draft had before
 * keep theirs whatever `made` says, and so does the thumbnail if the first view is the same.
 */
export const keepGiven = (
  made: ImageUrls,
  given: ImageUrls,
  { sameFirstView }: { readonly sameFirstView: boolean },
): ImageUrls => ({
  images: Object.fromEntries(
    Object.entries(made.images).map(([view, url]) => [
      view,
      Object.hasOwn(given.images, view) ? (given.images[view] ?? url) : url,
    ]),
  ),
  thumbnail: sameFirstView ? given.thumbnail : made.thumbnail,
})

/**
 * Encodes an id as one path segment. URL parsers remove the segments `.` and `..`, even with percent-encoded dots, so
 * these two ids get a leading `=`, which is percent-encoded in every other id.
 */
const segment = (id: string): string => (id === "." || id === ".." ? `=${id}` : encodeURIComponent(id))
