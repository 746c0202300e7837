/** What pages answer with. */
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { ComponentChildren, VNode } from "preact"
import { renderToString } from "preact-render-to-string"
import { listEndpoints } from "../../core/usecases/ManageEndpoints.ts"
import { Layout, type Section } from "./parts/Layout.tsx"
import { SwitchedOff } from "./parts/SwitchedOff.tsx"
import { keepNotice, type Notice } from "./Session.ts"
import { CurrentShop, Visit } from "./Visit.ts"

/** A page as it goes out. */
const document = (page: VNode, status: number) =>
  HttpServerResponse.text(`<!doctype html>${renderToString(page)}`, { status, contentType: "text/html; charset=utf-8" })

/** A page of the store at hand. */
export const show = Effect.fnUntraced(function* (page: {
  readonly title: string
  readonly section?: Section
  readonly content: ComponentChildren
  readonly status?: number
}) {
  const visit = yield* Visit
  const { shop } = yield* CurrentShop
  const off = (yield* listEndpoints(shop.id)).filter(({ status }) => status === "switched_off")
  const banner = off.length === 0 ? undefined : <SwitchedOff visit={visit} endpoints={off} />
  return document(
    <Layout visit={visit} shop={shop} title={page.title} section={page.section} banner={banner}>
      {page.content}
    </Layout>,
    page.status ?? 200,
  )
})

/** A page that belongs to no store. */
export const showAlone = Effect.fnUntraced(function* (page: {
  readonly title: string
  readonly content: ComponentChildren
  readonly status?: number
}) {
  const visit = yield* Visit
  return document(
    <Layout visit={visit} title={page.title}>
      {page.content}
    </Layout>,
    page.status ?? 200,
  )
})

/** Sends the client on to another page, by its path in the app, which says what happened. */
export const goTo = Effect.fnUntraced(function* (path: string, notice?: Notice) {
  const { root, session } = yield* Visit
  const response = HttpServerResponse.empty({ status: 303, headers: { location: root + path } })
  return notice === undefined ? response : yield* keepNotice(response, notice, session)
})
