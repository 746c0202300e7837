/** The page that a link for one store opens (D58). Only its button begins the session: programs open links too. */

import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import {
  readSettingsLink,
  tokenParameter,
  type UnusableLink,
  useSettingsLink,
} from "../../../core/usecases/access/SettingsLinks.ts"
import { getShop } from "../../../core/usecases/shops/ManageShops.ts"
import { Form } from "../Form.ts"
import { renderPage } from "../Page.tsx"
import { Submit } from "../parts/Buttons.tsx"
import { PostForm } from "../parts/PostForm.tsx"
import type { Route } from "../Routes.ts"
import { beginSession, type KeepSession } from "../Session.ts"
import { Visit } from "../Visit.ts"

/** The address of the page has the link's token: it goes to no other page, and not to the files of this one. */
const withoutReferrer = HttpServerResponse.setHeader("referrer-policy", "strict-origin")

const statuses = { invalid: 403, expired: 410, used: 410 } as const

const problemPage = Effect.fnUntraced(function* ({ reason }: UnusableLink) {
  const { root, texts, visitor } = yield* Visit
  const page = yield* renderPage(
    { title: texts.link.problem, status: statuses[reason] },
    <section class="card pad stack signin">
      <h1>{texts.link.problem}</h1>
      <p class="lead">{`${texts.link[reason]} ${texts.link.newLink}`}</p>
      {visitor.actor !== null && (
        <p>
          <a href={root} class="button">
            {texts.link.toSettings}
          </a>
        </p>
      )}
    </section>,
  )
  return withoutReferrer(page)
})

const question = Effect.gen(function* () {
  const visit = yield* Visit
  const { shopId, texts } = visit
  const { url } = yield* HttpServerRequest.HttpServerRequest
  const token = new URLSearchParams(url.split("?")[1]).get(tokenParameter) ?? ""
  const { actor, readOnly } = yield* readSettingsLink(shopId ?? "", token)
  const { domain } = yield* getShop(shopId ?? "")
  const page = yield* renderPage(
    { title: texts.link.title },
    <section class="card pad stack signin">
      <div>
        <h1>{texts.link.title}</h1>
        <p class="lead">
          <bdi>{texts.link.lead(domain)}</bdi> <bdi>{texts.link.as(actor)}</bdi>
        </p>
      </div>
      {readOnly && <p>{texts.link.readOnly}</p>}
      <PostForm visit={visit} evenReadOnly action="./link">
        <input type="hidden" name="token" value={token} />
        <Submit look="main" text={texts.link.open} />
      </PostForm>
    </section>,
  )
  return withoutReferrer(page)
}).pipe(Effect.catchTag("UnusableLink", problemPage))

const begin = (keep: KeepSession) =>
  Effect.gen(function* () {
    const { root, shopId } = yield* Visit
    const { id: shop } = yield* getShop(shopId ?? "")
    const token = (yield* Form).text("token")
    const { actor, readOnly } = yield* readSettingsLink(shop, token)
    // Before the link is used up: if this fails, the link is still good.
    const session = yield* beginSession({ owner: actor, shop, readOnly, named: () => actor })
    const { next } = yield* useSettingsLink(shop, token)
    yield* Effect.log(`Settings of the shop ${shop}: ${JSON.stringify(actor)} came by a link`)
    return yield* keep(HttpServerResponse.empty({ status: 303, headers: { location: root + next } }), session)
  }).pipe(Effect.catchTag("UnusableLink", problemPage))

/** The page of a link, below its store. */
export const linkRoutes = (keep: KeepSession): ReadonlyArray<Route> => [
  { method: "GET", path: "/link", for: "everyone", handler: question },
  { method: "POST", path: "/link", for: "everyone", evenReadOnly: true, handler: begin(keep) },
]
