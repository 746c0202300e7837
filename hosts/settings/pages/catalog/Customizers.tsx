import { Effect } from "effect"
import { listCustomizers } from "../../../../core/usecases/catalog/ListCustomizers.ts"
import { currentRequest } from "../../CurrentRecord.ts"
import { renderStorePage } from "../../Page.tsx"
import { cut } from "../../parts/catalog/Cut.ts"
import { NameLink } from "../../parts/catalog/Isolated.tsx"
import { customizerHref } from "../../parts/catalog/Links.ts"
import { PageTitle } from "../../parts/Layout.tsx"
import { Empty, Pages, Table } from "../../parts/List.tsx"
import type { Route } from "../../Routes.ts"

/** Customizers on a page. */
const shown = 25

const page = Effect.gen(function* () {
  const { query, shop, visit } = yield* currentRequest
  const after = Number(/^\d{1,16}$/.exec(query.get("after") ?? "")?.[0] ?? 0)
  const found = yield* listCustomizers({ shop: shop.id, after, limit: shown + 1 })
  const customizers = found.slice(0, shown)
  const texts = visit.texts.customizers
  return yield* renderStorePage(
    { title: texts.title, section: "customizers" },
    <>
      <PageTitle title={texts.title} lead={texts.lead} />
      <section class="card" aria-label={texts.list}>
        {customizers.length === 0 ? (
          <Empty icon="customizer" text={texts.none} />
        ) : (
          <Table
            rows={customizers}
            keyOf={({ id }) => id}
            columns={[
              {
                ...{ label: texts.name, isBare: true },
                cell: ({ id, title }) => <NameLink href={customizerHref(visit.root, id)} name={cut(title, 100)} />,
              },
              { label: texts.number, cell: ({ id }) => id },
              { label: texts.product, cell: ({ platformProductId }) => <bdi>{cut(platformProductId, 100)}</bdi> },
              {
                label: texts.version,
                cell: ({ version }) =>
                  version === null ? (
                    <span class="badge">{texts.notPublished}</span>
                  ) : (
                    <span class="badge good">{texts.versionOf(version)}</span>
                  ),
              },
            ]}
          />
        )}
      </section>
      <Pages visit={visit} sorted="first" next={found.length > shown ? customizers.at(-1)?.id : null} />
    </>,
  )
})

/** The list of a store's customizers. */
export const customizerListRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/customizers", for: "store", handler: page },
]
