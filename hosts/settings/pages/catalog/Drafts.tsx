import { DateTime, Effect } from "effect"
import { customizerIdOf } from "../../../../core/model/Ids.ts"
import { listDrafts } from "../../../../core/usecases/catalog/Drafts.ts"
import { renderStorePage } from "../../Page.tsx"
import { CustomizerField, customizerChoices } from "../../parts/catalog/CustomizerField.tsx"
import { bytesIn, cut, fitting } from "../../parts/catalog/Cut.ts"
import { designBytes, type ItemDesign, Summary } from "../../parts/catalog/DesignItem.tsx"
import { designHref } from "../../parts/catalog/Links.ts"
import { Crumbs, PageTitle } from "../../parts/Layout.tsx"
import { DayField, Empty, Pages, Table } from "../../parts/List.tsx"
import { Time } from "../../parts/Time.tsx"
import { currentQuery, currentZone, dayOf, readFields, typedIn } from "../../Query.ts"
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
  const asked = typedIn(query, ["customizer", "before"])
  const zone = yield* currentZone
  const { before } = yield* readFields(asked, {
    customizer: [texts.customizer, customizerIdOf],
    before: [texts.before, dayOf(zone)],
  })
  const choices = yield* customizerChoices(shop.id)
  const after = query.get("after") ?? undefined
  const found = yield* listDrafts(shop.id, {
    limit: draftsShown,
    ...(asked.customizer === "" ? {} : { customizer: asked.customizer }),
    ...(before === undefined ? {} : { savedBefore: new Date(before).toISOString() }),
    ...(after === undefined ? {} : { after }),
  })
  const drafts = found.data.length === 0 ? [] : fitting(found.data, room, bytesOf)
  const last = drafts.at(-1)
  const hasMore = found.pagination.nextCursor !== null || drafts.length < found.data.length
  const isFiltered = asked.customizer !== "" || asked.before !== ""
  return yield* renderStorePage({
    title: texts.title,
    section: "orders",
    content: (
      <>
        <PageTitle title={texts.title} lead={texts.lead}>
          <Crumbs links={[[`${visit.root}orders`, visit.texts.orders.title]]} />
        </PageTitle>
        <search>
          <form class="card pad inline" action={`${visit.root}drafts`}>
            <CustomizerField choices={choices} value={asked.customizer} visit={visit} />
            <DayField name="before" label={`${texts.before} (${DateTime.zoneToString(zone)})`} value={asked.before} />
            <button class="button" type="submit">
              {visit.texts.deliveryList.filters.apply}
            </button>
          </form>
        </search>
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
      </>
    ),
  })
})

/** About as many bytes as a draft takes. */
const bytesOf = (draft: ItemDesign) => 100 + designBytes(draft) + bytesIn(cut(draft.id, 100))

/** The list of a store's drafts. */
export const draftRoutes: ReadonlyArray<Route> = [{ method: "GET", path: "/drafts", for: "store", handler: page }]
