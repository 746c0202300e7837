/** The links to orders, designs and customizers. */

/** A browser would take `.` and `..` for folders, and `~` stands for them: these ids are in the query. */
const isBare = (id: string): boolean => id !== "." && id !== ".." && id !== "~"

const pathOf = (id: string): string => (isBare(id) ? encodeURIComponent(id) : `~?id=${encodeURIComponent(id)}`)

/** The id that a page's path has, or its query. */
export const idOf = (segment: string, query: URLSearchParams): string =>
  segment === "~" ? (query.get("id") ?? "") : segment

export const orderHref = (root: string, id: string): string => `${root}orders/${pathOf(id)}`

const partHref = (list: string, id: string, part: string): string =>
  isBare(id) ? `${list}/${encodeURIComponent(id)}/${part}` : `${list}/~/${part}?id=${encodeURIComponent(id)}`

/** The job ticket of an order. */
export const ticketHref = (root: string, id: string): string => partHref(`${root}orders`, id, "ticket")

/** The archive of an order's pictures. */
export const picturesHref = (root: string, id: string): string => partHref(`${root}orders`, id, "pictures.zip")

/** The page with every order that has a text as its whole id or name. */
export const namedOrdersHref = (root: string, text: string): string =>
  `${root}orders${queryWith({ text, exact: "yes" })}`

export const designHref = (root: string, id: string): string => `${root}designs/${pathOf(id)}`

/** The download of a design's JSON. */
export const designJsonHref = (root: string, id: string): string => partHref(`${root}designs`, id, "json")

export const customizerHref = (root: string, id: number): string => `${root}customizers/${id}`

/** The page with every event and delivery of an object. */
export const findHref = (root: string, id: string): string => `${root}find?q=${encodeURIComponent(id)}`

/** A query of those parameters that have a value. */
export const queryWith = (parameters: Readonly<Record<string, string | number | undefined>>): string => {
  const given = Object.entries(parameters).flatMap(
    ([name, value]): ReadonlyArray<[string, string]> =>
      value === undefined || value === "" ? [] : [[name, String(value)]],
  )
  return `?${new URLSearchParams(given)}`
}
