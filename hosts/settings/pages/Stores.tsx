import { Effect } from "effect"
import { searchShops } from "../../../core/usecases/shops/SearchShops.ts"
import { redirect, renderPage } from "../Page.tsx"
import { Submit } from "../parts/Buttons.tsx"
import { Icon } from "../parts/Icon.tsx"
import { PageTitle } from "../parts/Layout.tsx"
import { Empty, NoneFound, Pages, SearchForm } from "../parts/List.tsx"
import { PostForm } from "../parts/PostForm.tsx"
import { queryParameter } from "../Query.ts"
import type { Route } from "../Routes.ts"
import { Visit } from "../Visit.ts"

/** How many stores a page shows: 40 with the longest names are less than 40 KiB. */
const pageLength = 40

const storesPage = Effect.gen(function* () {
  const visit = yield* Visit
  const { shop } = visit.visitor
  // Those who came by a link learn of no other store.
  if (shop !== null) return yield* redirect(`${shop}/`)
  const [search, after] = [yield* queryParameter("q"), yield* queryParameter("after")]
  const { next, shops } = yield* searchShops({ search, after: after === "" ? undefined : after, limit: pageLength })
  const isSearch = search.trim() !== ""
  const isMany = isSearch || after !== "" || next !== null
  return yield* renderPage(
    { title: visit.texts.stores.title },
    <>
      <PageTitle
        actions={
          <div class="actions">
            <a href={`${visit.root}sign-out`}>{visit.texts.signOut.title}</a>
            <PostForm visit={visit} action={`${visit.root}sign-out`}>
              <Submit text={visit.texts.layout.signOut} />
            </PostForm>
          </div>
        }
        title={visit.texts.stores.title}
        lead={visit.texts.stores.lead}
      />
      {isMany && <SearchForm visit={visit} label={visit.texts.paging.stores} search={search} />}
      <section class="card">
        {shops.length === 0 && isSearch ? (
          <NoneFound visit={visit} search={search} />
        ) : shops.length === 0 ? (
          <Empty icon="store" title={visit.texts.stores.none}>
            <p>{visit.texts.stores.noneLead(<code>PUT /manage/v1/shops/&#123;shop&#125;</code>)}</p>
          </Empty>
        ) : (
          <div class="stores">
            <ul>
              {shops.map(({ currency, domain, id, plan }) => (
                <li key={id}>
                  <a href={`${visit.root}${id}/`} class="store-choice">
                    <Icon name="store" />
                    <span>
                      <strong>
                        <bdi>{domain}</bdi>
                      </strong>
                      <span class="hint">{visit.texts.stores.facts(id, plan, currency)}</span>
                    </span>
                  </a>
                </li>
              ))}
            </ul>
          </div>
        )}
      </section>
      <Pages visit={visit} sorted="first" next={next} />
    </>,
  )
})

/** The page to choose a store, if the app is standalone. */
export const storeRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/stores", for: "signed-in", handler: storesPage },
]
