import type { Shop } from "../model/Shop.ts"

/** The addresses of a design's pictures (§2.1). */
export interface ImageUrls {
  readonly images: Readonly<Record<string, string>>
  readonly thumbnail: string
}

/** Makes a design's image addresses from the views of its definition, in their order. The same arguments always give the same addresses. */
export type ImageUrlsOf = (shop: Shop, designId: string, views: ReadonlyArray<string>) => ImageUrls

/** The default (D7): `{imageBase}/designs/{designId}/{view}.png`, and `{firstView}_thumb.png` beside it. */
export const imageUrls: ImageUrlsOf = (shop, designId, views) => {
  const base = `${shop.imageBase.replace(/\/+$/, "")}/designs/${segment(designId)}`
  const url = (name: string): string => `${base}/${encodeURIComponent(name)}.png`
  return {
    // fromEntries makes own properties, also of a view named __proto__.
    images: Object.fromEntries(views.map((view) => [view, url(view)])),
    thumbnail: url(`${views[0] ?? ""}_thumb`),
  }
}

/**
 * The addresses of a draft that is saved again: one that was given never changes (D7), so views that the draft had before keep theirs, whatever is `made` for
 * them now, and so does the thumbnail where the first view is still the same.
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
 * An id as one segment of a path. URL parsers remove the segments `.` and `..`, also where the dots are percent-encoded: these two ids get a `=`
 * in front, which is percent-encoded in every other id.
 */
const segment = (id: string): string => (id === "." || id === ".." ? `=${id}` : encodeURIComponent(id))
