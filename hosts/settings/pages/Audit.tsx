import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { queryOf } from "../../../core/api/Parameters.ts"
import { type AuditView, SubjectType } from "../../../core/model/audit/AuditEntry.ts"
import { listAudit } from "../../../core/usecases/audit/ReadAudit.ts"
import { renderStorePage } from "../Page.tsx"
import { ChangeActor, ChangedFields, cut } from "../parts/ChangedFields.tsx"
import { PageTitle } from "../parts/Layout.tsx"
import { Empty, Pages, Table } from "../parts/List.tsx"
import { Time } from "../parts/Time.tsx"
import { KeptTime, TimeChips } from "../parts/TimeChips.tsx"
import { sinceOf, spans } from "../Query.ts"
import type { Route } from "../Routes.ts"
import { CurrentShop, Visit } from "../Visit.ts"

/** Few enough that a page of the longest changes stays small. */
const pageSize = 15

const day = 24 * 60 * 60 * 1000

/** The filter as the form sends it: fields that are left empty are sent too. */
interface Filter {
  readonly subject: string
  readonly from: string
  /** The last day, which is included. */
  readonly to: string
}

const plainDate = /^\d{4}-\d{2}-\d{2}$/

/** The beginning of the day after a date; any other text stays, and is refused. */
const dayAfter = (date: string): string => {
  const instant = plainDate.test(date) ? Date.parse(date) : Number.NaN
  return Number.isNaN(instant) ? date : new Date(instant + day).toISOString()
}

/** The beginning of a span by its name; any other text stays. */
const sinceText = (text: string, now: number): string =>
  Object.hasOwn(spans, text) ? new Date(sinceOf(now)(text) ?? now).toISOString() : text

const given = (fields: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""))

const page = Effect.gen(function* () {
  const visit = yield* Visit
  const { shop } = yield* CurrentShop
  const query = queryOf((yield* HttpServerRequest.HttpServerRequest).url)
  const value = (name: string) => query.get(name) ?? ""
  const filter: Filter = { subject: value("subject"), from: value("from"), to: value("to") }
  const after = value("after")
  const { data, pagination } = yield* listAudit(shop.id, {
    ...given({ ...filter, from: sinceText(filter.from, visit.now), to: dayAfter(filter.to), after }),
    limit: pageSize,
  })
  const { audit } = visit.texts
  const hrefOf = (cursor: string) => `?${new URLSearchParams(given({ ...filter, after: cursor }))}`
  return yield* renderStorePage({
    title: audit.title,
    section: "audit",
    content: (
      <>
        <PageTitle>
          <h1>{audit.title}</h1>
          <p>{audit.lead}</p>
        </PageTitle>
        <TimeChips visit={visit} from={filter.from} to={filter.to} />
        <FilterForm visit={visit} filter={filter} />
        <section class="card" aria-label={audit.title}>
          {data.length === 0 ? (
            <Empty icon="clock">
              <p>{audit.nothing}</p>
            </Empty>
          ) : (
            <ChangeTable visit={visit} entries={data} />
          )}
        </section>
        <Pages
          label={audit.older}
          first={after === "" ? undefined : { href: hrefOf(""), text: audit.newest }}
          next={pagination.nextCursor === null ? undefined : { href: hrefOf(pagination.nextCursor), text: audit.older }}
        />
      </>
    ),
  })
})

const FilterForm = ({ filter, visit }: { readonly filter: Filter; readonly visit: Visit["Service"] }) => {
  const { audit } = visit.texts
  const isOne = filter.subject.includes(":")
  return (
    <form method="get" class="card pad filters">
      <div class="field">
        <label for="subject">{audit.about}</label>
        <select id="subject" name="subject">
          <option value="">{audit.everything}</option>
          {isOne && (
            <option value={filter.subject} selected>
              {filter.subject}
            </option>
          )}
          {SubjectType.literals.map((type) => (
            <option key={type} value={type} selected={type === filter.subject}>
              {audit.subjects[type]}
            </option>
          ))}
        </select>
      </div>
      <KeptTime from={filter.from} to={filter.to} />
      <button class="button" type="submit">
        {audit.filter}
      </button>
    </form>
  )
}

const ChangeTable = ({
  entries,
  visit,
}: {
  readonly entries: ReadonlyArray<AuditView>
  readonly visit: Visit["Service"]
}) => {
  const { audit } = visit.texts
  return (
    <Table
      kind="audit"
      rows={entries}
      keyOf={({ id }) => id}
      columns={[
        { label: audit.when, cell: ({ at }) => <Time at={at} now={visit.now} /> },
        { label: audit.who, cell: ({ actor }) => <ChangeActor actor={actor} texts={visit.texts} /> },
        {
          label: audit.what,
          cell: (entry) => (
            <div>
              {audit.actions[entry.action]}
              <Subject entry={entry} />
            </div>
          ),
        },
        { label: audit.change, cell: (entry) => <ChangedFields entry={entry} texts={visit.texts} /> },
      ]}
    />
  )
}

/** A link of more characters would make the page large: ids of orders and designs may be any text. */
const longestLink = 400

/** The thing that was changed, with a link to all of its changes. The store itself is not named. */
const Subject = ({ entry: { subject } }: { readonly entry: AuditView }) => {
  if (subject.type === "shop") return null
  const href = `?subject=${subject.type}:${encodeURIComponent(subject.id)}`
  const id = <bdi>{cut(subject.id)}</bdi>
  return href.length > longestLink ? (
    <span class="event-id">{id}</span>
  ) : (
    <a class="event-id" href={href}>
      {id}
    </a>
  )
}

/** The page of all changes of a store (D59). */
export const auditRoutes: ReadonlyArray<Route> = [{ method: "GET", path: "/audit", for: "store", handler: page }]
