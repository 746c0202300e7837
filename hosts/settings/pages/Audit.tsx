import { Effect } from "effect"
import { type AuditView, SubjectType } from "../../../core/model/audit/AuditEntry.ts"
import { listAudit } from "../../../core/usecases/audit/ReadAudit.ts"
import { renderStorePage } from "../Page.tsx"
import { ChangeActor, ChangedFields, cut } from "../parts/ChangedFields.tsx"
import { PageTitle } from "../parts/Layout.tsx"
import { Empty, Pages, Table } from "../parts/List.tsx"
import { ListFilter } from "../parts/ListFilter.tsx"
import { Time } from "../parts/Time.tsx"
import { currentQuery, currentZone, readFields, timeFields, typedIn } from "../Query.ts"
import type { Route } from "../Routes.ts"
import { CurrentShop, Visit } from "../Visit.ts"

/** Few enough that a page of the longest changes stays small. */
const pageSize = 15

/** The filter as the form sends it: empty fields, too. `to` is the last day, which is included. */
type Filter = Readonly<Record<"subject" | "from" | "to", string>>

const instantText = (at: number | undefined): string => (at === undefined ? "" : new Date(at).toISOString())

const given = (fields: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""))

const page = Effect.gen(function* () {
  const visit = yield* Visit
  const { shop } = yield* CurrentShop
  const query = yield* currentQuery
  const { after, ...filter } = typedIn(query, ["subject", "from", "to", "after"])
  const zone = yield* currentZone
  const { from, to } = yield* readFields(filter, { ...(yield* timeFields(zone)) })
  const { data, pagination } = yield* listAudit(shop.id, {
    ...given({ subject: filter.subject, from: instantText(from), to: instantText(to), after }),
    limit: pageSize,
  })
  const { audit } = visit.texts
  return yield* renderStorePage({
    title: audit.title,
    section: "audit",
    content: (
      <>
        <PageTitle title={audit.title} lead={audit.lead} />
        <section class="card" aria-label={audit.title}>
          <ListFilter visit={visit} zone={zone}>
            <SubjectField visit={visit} filter={filter} />
          </ListFilter>
          {data.length === 0 ? (
            <Empty icon="clock">
              <p>{audit.nothing}</p>
            </Empty>
          ) : (
            <ChangeTable visit={visit} entries={data} />
          )}
        </section>
        <Pages visit={visit} next={pagination.nextCursor} />
      </>
    ),
  })
})

const SubjectField = ({ filter, visit }: { readonly filter: Filter; readonly visit: Visit["Service"] }) => {
  const { audit } = visit.texts
  const isOne = filter.subject.includes(":")
  return (
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
