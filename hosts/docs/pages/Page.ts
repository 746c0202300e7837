/** A page of the site. */
export interface Page {
  /** Its address without slashes at the ends: `hosts/embed`; empty for the front page. */
  readonly path: string
  /** Its heading, as plain text. */
  readonly title: string
  /** One sentence or paragraph about it, as plain text. */
  readonly description: string
  /** The text below the heading: Markdown whose links to other pages begin with `/`. */
  readonly body: string
  /** The text as browsers get it, if it differs: with tabs, drawings or HTML. */
  readonly shown?: string
  /** The heading in the navigation under which it stands. A page without one is reached by links. */
  readonly group?: string
  /** Its name in the navigation. Default: the title. */
  readonly label?: string
}

/** The address of a page, from the root of the site. */
export const addressOf = (path: string): string => (path === "" ? "/" : `/${path}/`)

/** The address of a page as Markdown. */
export const markdownAddressOf = (path: string): string => `/${path === "" ? "index" : path}.md`
