/** Every page as those see it who may look at everything, and change nothing (D58). */
import { expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { makeBrowser, signedIn } from "../../conformance/testkit/browsers/Browser.ts"
import { busyShop } from "../../conformance/testkit/browsers/BusyShop.ts"
import { receiveShopify } from "../../conformance/testkit/hosts/PlatformEvents.ts"
import { inProcess, type Json, manage, memory } from "../../conformance/testkit/hosts/TestHost.ts"

const urls = {
  healthy: "https://93.184.216.34/erp",
  failing: "https://93.184.216.34/planning",
  off: "https://93.184.216.34/analytics",
  quiet: "https://93.184.216.34/quiet",
}

/** A store with something in every state, and a visitor who may change nothing. */
const world = Effect.gen(function* () {
  const ports = yield* Layer.build((yield* memory.open).ports)
  const send = yield* inProcess(Layer.succeedContext(ports))
  const { endpoints, id } = yield* busyShop(send, ports, { id: "busy", urls })
  yield* receiveShopify(ports, id, 1, ["missing"])
  yield* manage(send, "POST", `/shops/${id}/webhooks/${endpoints.quiet}/pause`)
  yield* manage(send, "POST", `/shops/${id}/webhooks/${endpoints.failing}/secret/rotate`)
  yield* manage(send, "POST", `/shops/${id}/webhooks/${endpoints.healthy}/test`)
  yield* manage(send, "PUT", "/shops/new", {
    ...{ domain: "new.example.com", currency: "EUR", plan: "plus", roundingStep: 1 },
    imageBase: "https://images.example.com",
  })
  const come = Effect.fnUntraced(function* (shop: string, readOnly: boolean) {
    const browser = makeBrowser(send)
    const { json } = yield* manage(send, "POST", `/shops/${shop}/settings-link`, { actor: "jo", readOnly })
    yield* browser.submit(yield* browser.open(String((json as Json)["url"])), "./link")
    return browser
  })
  return { send, come, endpoints }
})

/** Pages whose links are buttons that change something, as paths behind the store. */
const changing = /\/(?:webhooks\/new|update|delete|rotate|resend|[\w-]*\/try)(?:[?"]|$)/

/** A page without the fieldsets that are disabled, from the innermost out. */
const withoutDisabled = (html: string): string => {
  const inner = /<fieldset([^>]*)>((?:(?!<fieldset)[\s\S])*?)<\/fieldset>/
  const without = html.replace(inner, (_, attributes: string, content: string) =>
    / disabled/.test(attributes) ? "" : content,
  )
  return without === html ? html : withoutDisabled(without)
}

/** The controls of a page that would change something. */
const enabledOf = ({ path, text }: { readonly path: string; readonly text: string }): ReadonlyArray<string> => {
  if (path.endsWith("/sign-out")) return []
  const allowed = withoutDisabled(text)
    // Signing out, and checking a definition, which stores nothing.
    .replaceAll(/<form method="post" action="[^"]*sign-out[^"]*"[\s\S]*?<\/form>/g, "")
    .replaceAll(/<form method="post"(?:(?!<\/form>)[\s\S])*name="definition"[\s\S]*?<\/form>/g, "")
  return [
    ...[...allowed.matchAll(/<form method="post"[\s\S]*?<\/form>/g)]
      .map(([form]) => form)
      .filter((form) => /<(?:button|select|textarea|input(?! type="hidden"))/.test(form)),
    ...[...allowed.matchAll(/<(?:button|input)[^>]*(?:formaction|form)="[^>]*>/gi)].map(([control]) => control),
    ...[...allowed.matchAll(/<a class="button[^>]*href="([^"]*)"[^>]*>/g)].flatMap(([link, href = ""]) =>
      changing.test(href) || link.includes("data-ask") ? [link] : [],
    ),
  ]
}

/** Follows every link within a store, and returns the paths and texts of its pages, one of each kind of query. */
const crawl = Effect.fnUntraced(function* (
  browser: ReturnType<typeof makeBrowser>,
  shop: string,
  more: ReadonlyArray<string>,
) {
  const left = [`/settings/${shop}/`, ...more.map((path) => `/settings/${shop}${path}`)]
  const known = new Set(left)
  const pages: Array<{ readonly path: string; readonly text: string }> = []
  for (const path of left) {
    const page = yield* browser.open(path)
    expect([path, page.status]).toEqual([path, 200])
    if (!String(page.headers["content-type"]).includes("text/html")) continue
    pages.push({ path, text: page.text })
    for (const [, href = ""] of page.text.matchAll(/<a [^>]*href="([^"]*)"/g)) {
      const { pathname, search } = new URL(href.replaceAll("&amp;", "&"), `http://host${path}`)
      // Values differ from page to page: one of each filter is enough.
      const kind = pathname + [...new URLSearchParams(search).keys()].join()
      if (!pathname.startsWith(`/settings/${shop}/`) || known.has(kind)) continue
      known.add(kind)
      left.push(pathname + search)
    }
  }
  return pages
})

it.live("no page MUST have an enabled control that changes something for those who may change nothing (D58)", () =>
  Effect.gen(function* () {
    const { come, endpoints, send } = yield* world
    const changes = Object.values(endpoints).flatMap((id) =>
      ["update", "delete", "rotate", "resend", "recover"].map((action) => `/webhooks/${id}/${action}`),
    )
    const more = [...changes, "/webhooks/new", "/inbox?state=waiting", "/customizers/101/publish", "/?language=Go"]
    const pages = [
      ...(yield* crawl(yield* come("busy", true), "busy", more)),
      ...(yield* crawl(yield* come("new", true), "new", [])),
    ]
    const kinds = new Set(pages.map(({ path }) => path.replaceAll(/\b(?:whe|dlv|evt|tok)_\w+|\d+/g, "x")))
    expect(kinds.size).toBeGreaterThan(35)
    expect(pages.flatMap((page) => enabledOf(page).map((control) => [page.path, control]))).toEqual([])
    // The same look finds the controls of those who may change things, so it is not blind.
    const owner = yield* signedIn(send, "busy")
    for (const [path, control] of [
      ["/settings/inbox", "/apply"],
      ["/settings/tokens", "data-ask"],
      ["/settings/webhooks", "webhooks/new"],
      [`/settings/webhooks/${endpoints.failing}`, "/update"],
      [`/settings/webhooks/${endpoints.failing}`, "/try"],
      [`/settings/webhooks/${endpoints.healthy}`, 'form="selection"'],
    ] as const) {
      expect([path, enabledOf(yield* owner.open(path)).join()]).toEqual([path, expect.stringContaining(control)])
    }
  }),
)
