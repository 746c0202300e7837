/** The responses of the app's routes. */
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { ComponentChildren, VNode } from "preact"
import { renderToString } from "preact-render-to-string"
import type { InboxTrouble } from "../../core/ports/Inbox.ts"
import { readTrouble } from "../../core/usecases/ingest/ReadInbox.ts"
import { listEndpoints } from "../../core/usecases/webhooks/ManageEndpoints.ts"
import { type Flash, keepFlash } from "./Flash.ts"
import { LanguageProvider } from "./parts/CurrentLanguage.ts"
import { Layout, type Section } from "./parts/Layout.tsx"
import { CurrentShop, Visit } from "./Visit.ts"

const document = ({ site }: Visit["Service"], page: VNode, status = 200) => {
  const text = renderToString(<LanguageProvider value={site.language}>{page}</LanguageProvider>)
  return HttpServerResponse.text(`<!doctype html>${text}`, { status, contentType: "text/html; charset=utf-8" })
}

/** A page of the current store. */
export const renderStorePage = Effect.fnUntraced(function* (
  page: {
    readonly title: string
    readonly section?: Section
    readonly status?: number
    /** Whether it says above its content that endpoints are off. Others only have the number of them in the menu. */
    readonly saysOff?: boolean
    /** The events of platforms in trouble, if the page has read them. */
    readonly trouble?: InboxTrouble
    /** The addresses of its pictures. */
    readonly pictures?: ReadonlyArray<string>
  },
  content: ComponentChildren,
) {
  const visit = yield* Visit
  const { shop } = yield* CurrentShop
  const { method } = yield* HttpServerRequest.HttpServerRequest
  const off = (yield* listEndpoints(shop.id)).filter(({ status }) => status === "switched_off")
  const { failed, waiting } = page.trouble ?? (yield* readTrouble(shop.id))
  const response = document(
    visit,
    <Layout
      visit={visit}
      shop={shop}
      title={page.title}
      section={page.section}
      attention={{ inbox: failed + waiting, webhooks: off.length }}
      saysOff={page.saysOff === true}
      isLive={method === "GET"}
    >
      {content}
    </Layout>,
    page.status,
  )
  return page.pictures === undefined
    ? response
    : HttpServerResponse.setHeader(response, "content-security-policy", visit.site.policy(page.pictures))
})

/** A page that belongs to no store. */
export const renderPage = Effect.fnUntraced(function* (
  { status, title }: { readonly title: string; readonly status?: number },
  content: ComponentChildren,
) {
  const visit = yield* Visit
  return document(
    visit,
    <Layout visit={visit} title={title}>
      {content}
    </Layout>,
    status,
  )
})

/** A download of JSON. */
export const jsonFile = (text: string, name: string) =>
  HttpServerResponse.text(text, {
    contentType: "application/json",
    headers: { "content-disposition": `attachment; filename="${name}"` },
  })

/** A redirect to a page by its path in the store (in the app, from pages of no store), with a message for that page. */
export const redirect = Effect.fnUntraced(function* (path: string, flash?: Flash) {
  const visit = yield* Visit
  const response = HttpServerResponse.empty({ status: 303, headers: { location: visit.root + path } })
  return flash === undefined ? response : yield* keepFlash(response, flash, visit)
})
