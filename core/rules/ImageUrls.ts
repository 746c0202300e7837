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
 * An id as one segment of a path. URL parsers remove the segments `.` and `..`, also where the dots are percent-encoded: these two ids get a `=`
 * in front, which is percent-encoded in every other id.
 */
const segment = (id: string): string => (id === "." || id === ".." ? `=${id}` : encodeURIComponent(id))
