import { Effect } from "effect"
import { listCustomizers } from "../../../../core/usecases/catalog/ListCustomizers.ts"
import { renderStorePage } from "../../Page.tsx"
import { cut } from "../../parts/catalog/Cut.ts"
import { customizerHref } from "../../parts/catalog/Links.ts"
import { PageTitle } from "../../parts/Layout.tsx"
import { Empty, Pages, Table } from "../../parts/List.tsx"
import { currentQuery } from "../../Query.ts"
import type { Route } from "../../Routes.ts"
import { CurrentShop, Visit } from "../../Visit.ts"

/** Customizers on a page. */
const shown = 25

const page = Effect.gen(function* () {
  const visit = yield* Visit
  const { shop } = yield* CurrentShop
  const query = yield* currentQuery
  const after = Number(/^\d{1,16}$/.exec(query.get("after") ?? "")?.[0] ?? 0)
  const found = yield* listCustomizers({ shop: shop.id, after, limit: shown + 1 })
  const customizers = found.slice(0, shown)
  const texts = visit.texts.customizers
  return yield* renderStorePage({
    title: texts.title,
    section: "customizers",
    content: (
      <>
        <PageTitle title={texts.title} lead={texts.lead} />
        <section class="card" aria-label={texts.list}>
          {customizers.length === 0 ? (
            <Empty icon="customizer">
              <p>{texts.none}</p>
            </Empty>
          ) : (
            <Table
              rows={customizers}
              keyOf={({ id }) => id}
              columns={[
                {
                  ...{ label: texts.name, isBare: true },
                  cell: ({ id, title }) => (
                    <a href={customizerHref(visit.root, id)}>
                      <bdi>{cut(title, 100)}</bdi>
                    </a>
                  ),
                },
                { label: texts.number, cell: ({ id }) => id },
                { label: texts.product, cell: ({ platformProductId }) => <bdi>{cut(platformProductId, 100)}</bdi> },
                {
                  label: texts.version,
                  cell: ({ version }) =>
                    version === null ? (
                      <span class="badge">{texts.notPublished}</span>
                    ) : (
                      <span class="badge good">{texts.published(version)}</span>
                    ),
                },
              ]}
            />
          )}
        </section>
        <Pages visit={visit} sorted="first" next={found.length > shown ? customizers.at(-1)?.id : null} />
      </>
    ),
  })
})

/** The list of a store's customizers. */
export const customizerListRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/customizers", for: "store", handler: page },
]
