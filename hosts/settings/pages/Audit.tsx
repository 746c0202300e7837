import { Effect } from "effect"
import { type AuditView, SubjectType } from "../../../core/model/audit/AuditEntry.ts"
import { listAudit } from "../../../core/usecases/audit/ReadAudit.ts"
import { renderStorePage } from "../Page.tsx"
import { ChangeActor, ChangedFields, cut } from "../parts/ChangedFields.tsx"
import { CopyableId } from "../parts/Copyable.tsx"
import { PageTitle } from "../parts/Layout.tsx"
import { Empty, Pages, Table } from "../parts/List.tsx"
import { ListFilter } from "../parts/ListFilter.tsx"
import { Time } from "../parts/Time.tsx"
import { currentQuery, currentZone, instantText, readFields, timeFields, typedIn } from "../Query.ts"
import type { Route } from "../Routes.ts"
import { type SubjectNames, subjectNames } from "../SubjectNames.ts"
import { CurrentShop, Visit } from "../Visit.ts"

/** Few enough that a page of the longest changes stays small. */
const pageSize = 15

/** The filter as the form sends it: empty fields, too. `to` is the last day, which is included. */
type Filter = Readonly<Record<"subject" | "from" | "to", string>>

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
  const names = yield* subjectNames(shop.id, data)
  const { audit } = visit.texts
  return yield* renderStorePage(
    {
      title: audit.title,
      section: "audit",
    },
    <>
      <PageTitle title={audit.title} lead={audit.lead} />
      <section class="card" aria-label={audit.title}>
        <ListFilter visit={visit} zone={zone}>
          <SubjectField visit={visit} filter={filter} names={names} />
        </ListFilter>
        {data.length === 0 ? (
          <Empty icon="clock">
            <p>{audit.nothing}</p>
          </Empty>
        ) : (
          <ChangeTable visit={visit} entries={data} names={names} />
        )}
      </section>
      <Pages visit={visit} next={pagination.nextCursor} />
    </>,
  )
})

const SubjectField = ({
  filter: { subject },
  names,
  visit,
}: {
  readonly filter: Filter
  readonly names: SubjectNames
  readonly visit: Visit["Service"]
}) => {
  const { audit } = visit.texts
  const [type, id] = [SubjectType.literals.find((type) => subject.startsWith(`${type}:`)), subject.replace(/^\w+:/, "")]
  return (
    <div class="field">
      <label for="subject">{audit.about}</label>
      <select id="subject" name="subject">
        <option value="">{audit.everything}</option>
        {type !== undefined && (
          <option value={subject} selected>
            {`${audit.subjects[type]}: ${cut(names.nameOf({ type, id })?.text ?? id)}`}
          </option>
        )}
        {SubjectType.literals.map((type) => (
          <option key={type} value={type} selected={type === subject}>
            {audit.subjects[type]}
          </option>
        ))}
      </select>
    </div>
  )
}

const ChangeTable = ({
  entries,
  names,
  visit,
}: {
  readonly entries: ReadonlyArray<AuditView>
  readonly names: SubjectNames
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
              <Subject entry={entry} names={names} visit={visit} />
            </div>
          ),
        },
        {
          label: audit.change,
          cell: (entry) => <ChangedFields entry={entry} reader={visit} titles={names.titles} />,
        },
      ]}
    />
  )
}

/** A link of more characters would make the page large: ids of orders and designs may be any text. */
const longestLink = 400

/** The thing that was changed, by its name, with a link to all of its changes. The store itself is not named. */
const Subject = ({
  entry: { subject },
  names,
  visit: { texts },
}: {
  readonly entry: AuditView
  readonly names: SubjectNames
  readonly visit: Visit["Service"]
}) => {
  if (subject.type === "shop") return null
  const platforms: Readonly<Record<string, string>> = texts.inbox.sources
  const name = names.nameOf(subject)
  const text = name?.text ?? (subject.type === "platform" ? platforms[subject.id] : undefined)
  const shown = <bdi>{cut(text ?? subject.id)}</bdi>
  const look = text === undefined ? "event-id" : name?.isHost ? "hint" : ""
  const href = `?subject=${subject.type}:${encodeURIComponent(subject.id)}`
  if (href.length > longestLink) return <p class={look}>{shown}</p>
  return (
    <p>
      <CopyableId label={texts.audit.copyId(cut(text ?? subject.id))} id={subject.id}>
        <a class={look} href={href}>
          {shown}
        </a>
      </CopyableId>
    </p>
  )
}

/** The page of all changes of a store (D59). */
export const auditRoutes: ReadonlyArray<Route> = [{ method: "GET", path: "/audit", for: "store", handler: page }]
