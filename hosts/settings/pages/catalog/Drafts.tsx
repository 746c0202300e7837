import { Effect } from "effect"
import { listDrafts } from "../../../../core/usecases/catalog/Drafts.ts"
import { renderStorePage } from "../../Page.tsx"
import { customizerChoices } from "../../parts/catalog/CustomizerField.tsx"
import { bytesIn, cut, fitting } from "../../parts/catalog/Cut.ts"
import { designBytes, type ItemDesign, Summary } from "../../parts/catalog/DesignItem.tsx"
import { designHref } from "../../parts/catalog/Links.ts"
import { OrderFilter, orderFields } from "../../parts/catalog/OrderFilter.tsx"
import { Crumbs, PageTitle } from "../../parts/Layout.tsx"
import { Empty, Pages, Table } from "../../parts/List.tsx"
import { Time } from "../../parts/Time.tsx"
import { currentQuery, currentZone, readFields, typedIn } from "../../Query.ts"
import type { Route } from "../../Routes.ts"
import { CurrentShop, Visit } from "../../Visit.ts"

/** Drafts on a page, at most, and the bytes that they may take. */
const [draftsShown, room] = ["50", 20 * 1024]

/** The cursor of a draft, as `listDrafts` makes it. */
const placeAfter = ({ id, savedAt }: { readonly id: string; readonly savedAt: string }): string =>
  `${Date.parse(savedAt)}.${encodeURIComponent(id)}`

const page = Effect.gen(function* () {
  const visit = yield* Visit
  const { shop } = yield* CurrentShop
  const query = yield* currentQuery
  const { drafts: texts } = visit.texts
  const asked = typedIn(query, ["customizer", "from", "to"])
  const zone = yield* currentZone
  const { customizer, from, to } = yield* readFields(asked, yield* orderFields(zone))
  const choices = yield* customizerChoices(shop.id)
  const after = query.get("after") ?? undefined
  const savedBefore = to === undefined ? undefined : new Date(to).toISOString()
  const found = yield* listDrafts(shop.id, { limit: draftsShown, customizer, savedBefore, after }, from)
  const drafts = found.data.length === 0 ? [] : fitting(found.data, room, bytesOf)
  const last = drafts.at(-1)
  const hasMore = found.pagination.nextCursor !== null || drafts.length < found.data.length
  const isFiltered = Object.values(asked).some((text) => text !== "")
  return yield* renderStorePage(
    {
      title: texts.title,
      section: "orders",
    },
    <>
      <PageTitle title={texts.title} lead={texts.lead}>
        <Crumbs links={[[`${visit.root}orders`, visit.texts.orders.title]]} />
      </PageTitle>
      <OrderFilter choices={choices} value={asked.customizer} visit={visit} zone={zone} />
      <section class="card" aria-label={texts.title}>
        {drafts.length === 0 ? (
          <Empty icon="customizer">
            <p>{isFiltered ? texts.noneFound : texts.none}</p>
            {isFiltered && <a href={`${visit.root}drafts`}>{texts.clear}</a>}
          </Empty>
        ) : (
          <Table
            rows={drafts}
            keyOf={({ id }) => id}
            columns={[
              {
                ...{ label: visit.texts.orders.design, isBare: true },
                cell: ({ design, id }) => (
                  <div>
                    <a href={designHref(visit.root, id)}>
                      <bdi>{cut(design.customizer.title, 100)}</bdi>
                    </a>
                    <Summary design={design} />
                  </div>
                ),
              },
              { label: visit.texts.design.id, cell: ({ id }) => <code>{cut(id, 100)}</code> },
              { label: texts.saved, cell: ({ savedAt }) => <Time at={savedAt} now={visit.now} /> },
            ]}
          />
        )}
      </section>
      <Pages visit={visit} next={hasMore && last !== undefined ? placeAfter(last) : null} />
    </>,
  )
})

/** About as many bytes as a draft takes. */
const bytesOf = (draft: ItemDesign) => 100 + designBytes(draft) + bytesIn(cut(draft.id, 100))

/** The list of a store's drafts. */
export const draftRoutes: ReadonlyArray<Route> = [{ method: "GET", path: "/drafts", for: "store", handler: page }]
