import { Context } from "effect"
import type { Shop } from "../../core/model/Shop.ts"
import type { Appearance } from "./Options.ts"
import type { Notice, Session } from "./Session.ts"

/** The app, as every page shows it. */
export interface Site extends Appearance {
  readonly name: string
  /** Whether people sign in here, choose a store and sign out, rather than in an application around it. */
  readonly standsAlone: boolean
  /** How often a delivery is attempted at most. */
  readonly attempts: number
  /** The `Content-Security-Policy` of a page that shows pictures at these addresses. */
  readonly policy: (pictures: ReadonlyArray<string>) => string
  /** Tells this version of the style sheet and the script from others. */
  readonly version: string
}

/** A request to one of the pages. */
export class Visit extends Context.Service<
  Visit,
  {
    readonly site: Site
    readonly session: Session
    /** The way from the address of this page to the app's first: `./`, `../`, … */
    readonly root: string
    /** What forms bring back. */
    readonly formKey: string
    readonly notice: Notice | undefined
    /** Where the REST API is. */
    readonly apiUrl: string
    /** The time of the request, in milliseconds. */
    readonly now: number
  }
>()("designwire/settings/Visit") {}

/** The store whose settings a page is about. */
export class CurrentShop extends Context.Service<CurrentShop, { readonly shop: Shop; readonly actor: string }>()(
  "designwire/settings/CurrentShop",
) {}

/** What a form sent. Its key was checked. */
export class Form extends Context.Service<
  Form,
  {
    /** A field's text, `""` where it is missing. */
    readonly text: (name: string) => string
    readonly all: (name: string) => ReadonlyArray<string>
  }
>()("designwire/settings/Form") {}
