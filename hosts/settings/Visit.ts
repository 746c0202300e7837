import { Context, type Effect } from "effect"
import type { Shop } from "../../core/model/shops/Shop.ts"
import type { Visitor } from "./Access.ts"
import type { Flash } from "./Flash.ts"
import type { Appearance } from "./Options.ts"
import type { PagePath } from "./PagePath.ts"
import type { Figures } from "./parts/Figures.ts"
import type { Language, Texts } from "./texts/Language.ts"

/** The app, the same for every page. */
export interface Site extends Omit<Appearance, "language"> {
  readonly name: string
  readonly language: Language
  /** Whether people sign in, choose a store and sign out in the app, rather than in an application around it. */
  readonly isStandalone: boolean
  /** The most attempts that a delivery gets. */
  readonly attempts: number
  /** The `Content-Security-Policy` of a page that shows pictures at these addresses. */
  readonly policy: (pictures: ReadonlyArray<string>) => string
  /** The version of the style sheet and the script. */
  readonly version: string
}

/** A request to one of the pages. */
export class Visit extends Context.Service<
  Visit,
  PagePath & {
    readonly site: Site
    /** The texts of the site's language. */
    readonly texts: Texts
    /** The forms of its numbers, amounts and times. */
    readonly figures: Figures
    readonly visitor: Visitor
    /** Whether the person behind the request may still do what they could at its beginning. */
    readonly isStillAllowed: Effect.Effect<boolean>
    /** The path in the app and the query, e.g. `/acme/webhooks?state=failed`. */
    readonly path: string
    /** The text that forms must send (`FormKey.ts`). */
    readonly formKey: string
    readonly flash: Flash | undefined
    /** The URL of the REST API. */
    readonly apiUrl: string
    /** The time of the request, in milliseconds. */
    readonly now: number
  }
>()("designwire/settings/Visit") {}

/** The properties of a part of a page. */
export interface VisitProps {
  readonly visit: Visit["Service"]
}

/** The store that a page is about. */
export class CurrentShop extends Context.Service<CurrentShop, { readonly shop: Shop; readonly actor: string }>()(
  "designwire/settings/CurrentShop",
) {}
