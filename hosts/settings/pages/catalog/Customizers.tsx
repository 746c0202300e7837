import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { listCustomizers } from "../../../../core/usecases/customizers/ListCustomizers.ts"
import { renderStorePage } from "../../Page.tsx"
import { cut } from "../../parts/catalog/Cut.ts"
import { customizerHref, queryOf, queryWith } from "../../parts/catalog/Links.ts"
import { Icon } from "../../parts/Icon.tsx"
import { PageTitle } from "../../parts/PageTitle.tsx"
import type { Route } from "../../Routes.ts"
import { CurrentShop, Visit } from "../../Visit.ts"

/** Customizers on a page. */
const shown = 25

const page = Effect.gen(function* () {
  const visit = yield* Visit
  const { shop } = yield* CurrentShop
  const query = queryOf((yield* HttpServerRequest.HttpServerRequest).url)
  const after = Number(/^\d{1,16}$/.exec(query.get("after") ?? "")?.[0] ?? 0)
  const found = yield* listCustomizers({ shop: shop.id, after, limit: shown + 1 })
  const customizers = found.slice(0, shown)
  const texts = visit.texts.customizers
  const columns = [texts.name, texts.number, texts.product, texts.version]
  return yield* renderStorePage({
    title: texts.title,
    section: "customizers",
    content: (
      <>
        <PageTitle>
          <h1>{texts.title}</h1>
          <p>{texts.lead}</p>
        </PageTitle>
        <section class="card" aria-label={texts.list}>
          {customizers.length === 0 ? (
            <div class="empty">
              <Icon name="customizer" />
              <p>{texts.none}</p>
            </div>
          ) : (
            <table class="folding values">
              <thead>
                <tr>
                  {columns.map((label) => (
                    <th key={label} scope="col">
                      {label}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {customizers.map(({ id, platformProductId, title, version }) => (
                  <tr key={id}>
                    <td data-label={texts.name}>
                      <a href={customizerHref(visit.root, id)}>
                        <bdi>{cut(title, 100)}</bdi>
                      </a>
                    </td>
                    <td data-label={texts.number}>{id}</td>
                    <td data-label={texts.product}>
                      <bdi>{cut(platformProductId, 100)}</bdi>
                    </td>
                    <td data-label={texts.version}>
                      {version === null ? (
                        <span class="badge">{texts.notPublished}</span>
                      ) : (
                        <span class="badge good">{texts.published(version)}</span>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </section>
        {(after > 0 || found.length > shown) && (
          <nav class="actions" aria-label={texts.pages}>
            {after > 0 && (
              <a class="button" href={`${visit.root}customizers`}>
                {texts.first}
              </a>
            )}
            {found.length > shown && (
              <a class="button" href={queryWith({ after: customizers.at(-1)?.id })} rel="next">
                {texts.more}
              </a>
            )}
          </nav>
        )}
      </>
    ),
  })
})

/** The list of a store's customizers. */
export const customizerListRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/customizers", for: "store", handler: page },
]
