/** A browser without scripts: it keeps cookies, follows redirects and sends the forms of the current page. */
import { Effect } from "effect"
import { type Answer, manageKey, newShop, type Send, TestHost } from "../hosts/TestHost.ts"

/** A form of a page. */
export interface PageForm {
  /** The URL that it is sent to, relative to the page. */
  readonly action: string
  /** Its content before anybody fills it in, including named buttons. */
  readonly fields: ReadonlyArray<readonly [name: string, value: string]>
}

/** The current page of a browser. */
export interface Shown extends Answer {
  readonly path: string
  /** The text of the page, without markup. */
  readonly read: string
  readonly forms: ReadonlyArray<PageForm>
}

const unescaped = (text: string): string =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&")

const attribute = (tag: string, name: string): string | undefined => {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]
  return value === undefined ? undefined : unescaped(value)
}

const formsOf = (html: string): ReadonlyArray<PageForm> =>
  [...html.matchAll(/<form method="post"[^>]*>([\s\S]*?)<\/form>/g)].map(([form, inside = ""]) => ({
    action: attribute(form, "action") ?? "",
    fields: [...inside.matchAll(/<(input|button|option) [^>]*>/g)].flatMap(([tag]): PageForm["fields"] => {
      const name = attribute(tag, "name")
      const isSent = !/type="(checkbox|radio)"/.test(tag) || / checked/.test(tag)
      return name !== undefined && isSent ? [[name, attribute(tag, "value") ?? ""]] : []
    }),
  }))

/**
 * What a page names by an id that none of its elements has, or several: a label of no field, a hint that no screen
 * reader finds.
 */
const lostReferences = (html: string): ReadonlyArray<string> => {
  const body = html.replace(/<(script|style)[\s\S]*?<\/\1>/g, "")
  const ids = [...body.matchAll(/\sid="([^"]*)"/g)].map(([, id = ""]) => id)
  const named = [...body.matchAll(/\s(?:for|form|list|aria-(?:labelledby|describedby|controls))="([^"]*)"/g)]
  const count = (id: string) => ids.filter((one) => one === id).length
  return [...named.flatMap(([, names = ""]) => names.split(" ")), ...ids].filter((id) => count(id) !== 1)
}

/** Fields that a person fills in. They replace the fields of the same names. */
export type Entered = Readonly<Record<string, string | ReadonlyArray<string>>>

export const makeBrowser = (send: Send, host: Readonly<Record<string, string>> = {}) => {
  const cookies = new Map<string, string>()
  const visited: Array<string> = []

  const request = (method: string, path: string, body?: string): Effect.Effect<Shown> =>
    Effect.gen(function* () {
      visited.push(path)
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
      const answer = yield* send(method, path, {
        headers: {
          ...host,
          ...(cookie === "" ? {} : { cookie }),
          ...(body === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }),
        },
        ...(body === undefined ? {} : { body }),
      })
      for (const [, name = "", value = ""] of (answer.headers["set-cookie"] ?? "").matchAll(
        /(?:^|, )([\w-]+)=([^;,]*)/g,
      )) {
        if (!/^(__Host-)?designwire/.test(name)) continue
        if (value === "") cookies.delete(name)
        else cookies.set(name, value)
      }
      const { location } = answer.headers
      if (location !== undefined) {
        const next = new URL(location, `http://host.test${path}`)
        return yield* request("GET", next.pathname + next.search)
      }
      const isPage = answer.text.startsWith("<!")
      if (isPage && /<a [^>]*\bhref(?:=""|[\s>])/.test(answer.text))
        return yield* Effect.die(new Error(`${path} has a link to nowhere`))
      const lost = isPage ? lostReferences(answer.text) : []
      if (lost.length > 0) return yield* Effect.die(new Error(`${path} has no single element for: ${lost.join(", ")}`))
      const text = answer.text.replace(/<(script|style)[\s\S]*?<\/\1>/g, "").replace(/<[^>]*>/g, " ")
      const shown: Shown = {
        status: answer.status,
        headers: answer.headers,
        text: answer.text,
        length: answer.length,
        json: undefined,
        path,
        read: unescaped(text).replace(/\s+/g, " ").trim(),
        forms: formsOf(answer.text),
      }
      return shown
    })

  return {
    cookies,
    /** The paths of all requests so far. */
    visited,
    open: (path: string) => request("GET", path),
    /** Fills in a form of a page and sends it. */
    submit: (page: Shown, action: string, entered: Entered = {}) => {
      const form = page.forms.find((form) => form.action === action)
      if (form === undefined) return Effect.die(new Error(`No form for ${action} on ${page.path}: ${page.read}`))
      const kept = form.fields.filter(([name]) => !(name in entered))
      const filled = Object.entries(entered).flatMap(([name, value]) =>
        (typeof value === "string" ? [value] : value).map((text) => [name, text] as const),
      )
      const target = new URL(action, `http://host.test${page.path}`)
      return request(
        "POST",
        target.pathname + target.search,
        new URLSearchParams([...kept, ...filled].map(([name, value]): [string, string] => [name, value])).toString(),
      )
    },
    post: (path: string, body: string) => request("POST", path, body),
  }
}

export type Browser = ReturnType<typeof makeBrowser>

/** Paths of the app that belong to no store. */
const ofNoStore = /^\/settings\/(?:sign-in|sign-out|stores|[\w-]+\.\w+)(?:[/?]|$)/

/** The path of a page of a store: `/settings/tokens` is `/settings/acme/tokens`. */
export const inStore = (shop: string, path: string): string =>
  path.startsWith(`/settings/${shop}/`) || ofNoStore.test(path)
    ? path
    : path.replace(/^\/settings(?:\/|$)/, `/settings/${shop}/`)

/**
 * A browser that has signed in to the settings app and looks at a store. It takes its paths as paths of this store's
 * pages.
 */
export const signedIn = Effect.fnUntraced(function* (send: Send, shop: string) {
  const browser = makeBrowser(send)
  yield* browser.submit(yield* browser.open("/settings/"), "", { key: manageKey })
  return {
    ...browser,
    /** The browser with paths as they are given. */
    anywhere: browser,
    open: (path: string) => browser.open(inStore(shop, path)),
    post: (path: string, body: string) => browser.post(inStore(shop, path), body),
  }
})

/** A new store of the tested host, and a browser that has signed in and looks at it. */
export const visitedShop = Effect.gen(function* () {
  const { ports, send } = yield* TestHost
  const shop = yield* newShop(send)
  return { ports, send, shop, browser: yield* signedIn(send, shop.id) }
})
