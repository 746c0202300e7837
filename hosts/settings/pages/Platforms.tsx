import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import type { IngestSource } from "../../../core/model/ingest/InboxItem.ts"
import { type PlatformInput, type PlatformView, platforms } from "../../../core/model/ingest/PlatformConnection.ts"
import { deletePlatform, listPlatforms, putPlatform } from "../../../core/usecases/ingest/ManagePlatforms.ts"
import { logChange } from "../ChangeLog.ts"
import { currentRequest, Missing } from "../CurrentRecord.ts"
import { Form } from "../Form.ts"
import { redirect, renderStorePage } from "../Page.tsx"
import { noProblems, type Rejection, rejectionOf } from "../Problems.ts"
import { ChangeLink } from "../parts/ChangeLink.tsx"
import { DeleteQuestion } from "../parts/DeleteQuestion.tsx"
import { Crumbs, PageTitle } from "../parts/Layout.tsx"
import { Table } from "../parts/List.tsx"
import { type PlatformFields, PlatformForm, platformFields } from "../parts/PlatformForm.tsx"
import { reasonIn } from "../parts/Reasons.ts"
import { Time } from "../parts/Time.tsx"
import type { Route } from "../Routes.ts"
import { CurrentShop, Visit, type VisitProps } from "../Visit.ts"

interface Row {
  readonly platform: IngestSource
  readonly connection: PlatformView | undefined
}

const listPage = Effect.gen(function* () {
  const { shop, visit } = yield* currentRequest
  const connections = yield* listPlatforms(shop.id)
  const texts = visit.texts.platforms
  const rows = platforms.map((platform) => ({
    platform,
    connection: connections.find((connection) => connection.platform === platform),
  }))
  return yield* renderStorePage(
    { title: texts.title, section: "inbox" },
    <>
      <PageTitle title={texts.title} lead={texts.lead}>
        <Crumbs links={[[`${visit.root}inbox`, visit.texts.inbox.title]]} />
      </PageTitle>
      <section class="card" aria-label={texts.title}>
        <PlatformTable visit={visit} rows={rows} />
      </section>
    </>,
  )
})

const PlatformTable = ({ rows, visit }: VisitProps & { readonly rows: ReadonlyArray<Row> }) => {
  const texts = visit.texts.platforms
  const { sources } = visit.texts.inbox
  return (
    <Table
      kind="listed"
      rows={rows}
      keyOf={({ platform }) => platform}
      columns={[
        { label: texts.columns.platform, cell: ({ platform }) => sources[platform] },
        { label: texts.columns.domain, cell: ({ connection }) => connection && <bdi>{connection.domain}</bdi> },
        { label: texts.columns.state, cell: ({ connection }) => <State visit={visit} connection={connection} /> },
        {
          label: texts.change,
          ...{ class: "end", isHidden: true, isBare: true },
          cell: ({ connection, platform }) => (
            <div class="actions">
              <ChangeLink
                visit={visit}
                class="button small"
                href={`${visit.root}platforms/${platform}`}
                label={(connection === undefined ? texts.connectTitle : texts.changeTitle)(sources[platform])}
              >
                {connection === undefined ? texts.connect : texts.change}
              </ChangeLink>
              {connection !== undefined && (
                <ChangeLink
                  visit={visit}
                  class="button small danger"
                  href={`${visit.root}platforms/${platform}/delete`}
                  label={texts.removeTitle(sources[platform])}
                  asks
                >
                  {texts.remove}
                </ChangeLink>
              )}
            </div>
          ),
        },
      ]}
    />
  )
}

const State = ({ connection, visit }: VisitProps & Pick<Row, "connection">) => {
  const { states } = visit.texts.platforms
  if (connection === undefined) return <span class="badge">{states.none}</span>
  const { askedAt, missingWebhooks, trouble } = connection
  const texts = visit.texts.platforms
  if (connection.disconnectedAt === null) {
    const isTroubled = trouble !== null || missingWebhooks.length > 0
    return (
      <>
        <span class={isTroubled ? "badge bad" : "badge good"}>
          {isTroubled ? texts.needsAttention : states.connected}
        </span>
        {trouble !== null && <p class="hint">{texts.keyRefused(reasonIn(visit, trouble, 300).text)}</p>}
        {missingWebhooks.length > 0 && <p class="hint">{texts.webhooksMissing(missingWebhooks.join(", "))}</p>}
        {askedAt !== null && (
          <p class="hint">
            {texts.askedAt} <Time at={askedAt} now={visit.now} />
          </p>
        )}
      </>
    )
  }
  return (
    <>
      <span class="badge bad">{states.ended}</span> <Time at={connection.disconnectedAt} now={visit.now} />
    </>
  )
}

/** The platform that the request's path names, and the store's connection to it. */
const current = Effect.gen(function* () {
  const { shop } = yield* CurrentShop
  const { platform: named } = yield* HttpRouter.params
  const platform = platforms.find((name) => name === named)
  if (platform === undefined) return yield* new Missing({ message: (yield* Visit).texts.platforms.missing })
  const connection = (yield* listPlatforms(shop.id)).find((each) => each.platform === platform)
  return { platform, connection } satisfies Row
})

/** The page of a connection. Without input, with the fields as they are stored. */
const formPage = Effect.fnUntraced(function* (given?: PlatformFields, { problems, status }: Rejection = noProblems) {
  const visit = yield* Visit
  const { connection, platform } = yield* current
  const texts = visit.texts.platforms
  const title = (connection === undefined ? texts.connectTitle : texts.changeTitle)(visit.texts.inbox.sources[platform])
  return yield* renderStorePage(
    { title, section: "inbox", status },
    <>
      <PageTitle>
        <Crumbs links={[[`${visit.root}platforms`, texts.title]]} />
        <h1>{title}</h1>
        {(connection?.disconnectedAt ?? null) !== null && <p>{texts.endedAt}</p>}
        {!visit.visitor.mayPublish && <p>{texts.operatorOnly}</p>}
      </PageTitle>
      {(visit.visitor.mayPublish || connection !== undefined) && (
        <PlatformForm
          visit={visit}
          platform={platform}
          connection={connection}
          fields={given ?? fieldsOf(connection)}
          problems={problems}
        />
      )}
    </>,
  )
})

const fieldsOf = (connection: PlatformView | undefined): PlatformFields =>
  platformFields((name) => [connection?.[name] ?? []].flat().join(", "))

const readFields = Effect.map(Form, ({ text }) => platformFields(text))

/** A list of a text field. An empty one is none of its own: the form can't ask for a list without any. */
const listIn = (text: string): ReadonlyArray<string> | null =>
  text.trim() === ""
    ? null
    : text
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== "")

const chosen = (text: string): boolean | null => (text === "" ? null : text === "true")

const inputOf = (fields: PlatformFields, { text }: Form["Service"]): PlatformInput => ({
  domain: fields.domain,
  ...(text("secret") === "" ? {} : { secret: text("secret") }),
  ...(text("accessKey") === "" ? {} : { accessKey: text("accessKey") }),
  property: fields.property === "" ? null : fields.property,
  ...{ placed: listIn(fields.placed), payLater: listIn(fields.payLater), done: listIn(fields.done) },
  ...{ tests: chosen(fields.tests), reorderCopies: chosen(fields.reorderCopies) },
})

const save = Effect.gen(function* () {
  const { texts, visitor } = yield* Visit
  const { shop } = yield* CurrentShop
  const { connection, platform } = yield* current
  const sent = yield* readFields
  // Webhooks of an app are for whoever has the domain: an owner could take those of another store.
  const fields = visitor.mayPublish ? sent : { ...sent, domain: connection?.domain ?? "" }
  if (fields.domain === "" && !visitor.mayPublish) {
    return yield* new Missing({ message: texts.platforms.missing })
  }
  return yield* putPlatform(shop.id, platform, inputOf(fields, yield* Form)).pipe(
    Effect.tap(() => logChange(`changed the connection to ${platform}`)),
    Effect.flatMap(() =>
      redirect("platforms", { tone: "good", text: texts.platforms.saved(texts.inbox.sources[platform]) }),
    ),
    Effect.catchTag(["InvalidInput", "Refused", "Conflict"], (error) =>
      formPage(fields, rejectionOf(error, texts, texts.problems.othersDomain)),
    ),
  )
})

const deletePage = Effect.gen(function* () {
  const visit = yield* Visit
  const texts = visit.texts.platforms
  const { connection, platform } = yield* current
  if (connection === undefined) return yield* new Missing({ message: texts.missing })
  const name = visit.texts.inbox.sources[platform]
  return yield* renderStorePage(
    { title: texts.removeTitle(name), section: "inbox" },
    <DeleteQuestion visit={visit} submit={texts.removeSubmit} cancelHref={`${visit.root}platforms`}>
      <h1>{texts.removeQuestion(name)}</h1>
      <p>{texts.removeText}</p>
    </DeleteQuestion>,
  )
})

const confirmDelete = Effect.gen(function* () {
  const { shop, texts } = yield* currentRequest
  const { platform } = yield* current
  yield* deletePlatform(shop.id, platform)
  yield* logChange(`removed the connection to ${platform}`)
  return yield* redirect("platforms", {
    tone: "good",
    text: texts.platforms.removed(texts.inbox.sources[platform]),
  })
})

/** The connections of a store to platforms (D87). */
export const platformRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/platforms", for: "store", handler: listPage },
  { method: "GET", path: "/platforms/:platform", for: "store", handler: formPage() },
  {
    ...{ method: "POST", path: "/platforms/:platform", for: "store", handler: save },
    again: Effect.flatMap(readFields, (fields) => formPage(fields)),
  },
  { method: "GET", path: "/platforms/:platform/delete", for: "store", handler: deletePage },
  { method: "POST", path: "/platforms/:platform/delete", for: "store", handler: confirmDelete },
]
