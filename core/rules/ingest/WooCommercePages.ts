/** Orders as WooCommerce's REST API (v3) answers them: each has the form of a webhook's body (D88). */
import { isPlainObject } from "../../model/json/Json.ts"

/** The most orders of a page that WooCommerce gives. */
const ordersOfPage = 100

/** The path and the query of a page of orders that were modified after a time, which is in UTC. `page`: from 1. */
export const wooCommercePath = (since: string, page: number): string => {
  const query = new URLSearchParams({
    ...{ modified_after: since, dates_are_gmt: "true", orderby: "modified", order: "asc", status: "any" },
    ...{ per_page: String(ordersOfPage), page: String(page) },
  })
  return `/wp-json/wc/v3/orders?${query}`
}

/** A page of orders, and the number of the next one. */
export interface WooCommercePage {
  readonly orders: ReadonlyArray<object>
  readonly next: number | null
}

/**
 * Reads a page by its body and the header `X-WP-TotalPages`; `undefined` if it is none. Without the header, which some
 * proxies drop, a full page has another one after it.
 */
export const readWooCommercePage = (
  body: unknown,
  { page, totalPages }: { readonly page: number; readonly totalPages: string | undefined },
): WooCommercePage | undefined => {
  if (!Array.isArray(body) || !body.every(isPlainObject)) return undefined
  const total = /^\d{1,9}$/.test(totalPages ?? "") ? Number(totalPages) : undefined
  const hasMore = total === undefined ? body.length >= ordersOfPage : page < total
  return { orders: body, next: hasMore && body.length > 0 ? page + 1 : null }
}
