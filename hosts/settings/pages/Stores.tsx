import { Effect } from "effect"
import { getShop, listShops } from "../../../core/usecases/ManageShops.ts"
import { goTo, showAlone } from "../Page.tsx"
import { Icon } from "../parts/Icon.tsx"
import { PostForm } from "../parts/PostForm.tsx"
import type { Route } from "../Routes.ts"
import type { KeepSession } from "../Session.ts"
import { Form, Visit } from "../Visit.ts"

const list = Effect.gen(function* () {
  const visit = yield* Visit
  const shops = yield* listShops
  return yield* showAlone({
    title: "Choose a store",
    content: (
      <>
        <div class="title">
          <div>
            <h1>Choose a store</h1>
            <p>Tokens and webhooks belong to one store each.</p>
          </div>
          <PostForm visit={visit} action={`${visit.root}sign-out`}>
            <button class="button" type="submit">
              Sign out
            </button>
          </PostForm>
        </div>
        <section class="card">
          {shops.length === 0 ? (
            <div class="empty">
              <Icon name="store" />
              <h2>There is no store yet</h2>
              <p>
                Stores are made with the management API: <code>PUT /manage/v1/shops/&#123;shop&#125;</code>.
              </p>
            </div>
          ) : (
            <PostForm visit={visit} kind="stores">
              <ul>
                {shops.map(({ currency, domain, id, plan }) => (
                  <li key={id}>
                    <button type="submit" name="shop" value={id} class="store-choice">
                      <Icon name="store" />
                      <span>
                        <strong>
                          <bdi>{domain}</bdi>
                        </strong>
                        <span class="hint">{`${id} · ${plan} plan · ${currency}`}</span>
                      </span>
                    </button>
                  </li>
                ))}
              </ul>
            </PostForm>
          )}
        </section>
      </>
    ),
  })
})

/** The pages to choose a store on, where the app stands alone. */
export const storeRoutes = (keep: KeepSession): ReadonlyArray<Route> => [
  { method: "GET", path: "/stores", for: "key", answer: list },
  {
    method: "POST",
    path: "/stores",
    for: "key",
    answer: Effect.gen(function* () {
      const { session } = yield* Visit
      const shop = yield* getShop((yield* Form).text("shop"))
      return yield* keep(yield* goTo(""), { ...session, shop: shop.id })
    }),
  },
]
