import { Effect, Redacted } from "effect"
import { HttpRouter } from "effect/http"
import { allScopes, maximumTokens, type Token } from "../../../core/model/access/Token.ts"
import { includesApi } from "../../../core/model/shops/Shop.ts"
import { createToken, deleteToken, listTokens } from "../../../core/usecases/access/ManageTokens.ts"
import { searchTokens } from "../../../core/usecases/access/SearchTokens.ts"
import { logChange } from "../ChangeLog.ts"
import { currentRequest, Missing } from "../CurrentRecord.ts"
import { addressOf } from "../DeliveryQuery.ts"
import { backTo } from "../forms/Returning.ts"
import { redirect, renderStorePage } from "../Page.tsx"
import { noProblems, type Rejection, rejectionOf } from "../Problems.ts"
import { ChangeLink } from "../parts/ChangeLink.tsx"
import { Copyable } from "../parts/Copyable.tsx"
import { DeleteQuestion } from "../parts/DeleteQuestion.tsx"
import { firstRequest } from "../parts/FirstRun.tsx"
import { FullNotice } from "../parts/FlashBox.tsx"
import { PageTitle } from "../parts/Layout.tsx"
import { Empty, NoneFound, Pages, SearchForm, Table } from "../parts/List.tsx"
import { Time } from "../parts/Time.tsx"
import { NewToken, noInput, readNewToken, tokenInputOf } from "../parts/tokens/NewToken.tsx"
import { queryParameter } from "../Query.ts"
import type { Route } from "../Routes.ts"
import { CurrentShop, Visit, type VisitProps } from "../Visit.ts"

/** How many tokens a page shows: 20 with the longest names are less than 40 KiB. */
const pageLength = 20

/** The part of the list of tokens that the request's query names. */
const listed = Effect.all({ q: queryParameter("q"), after: queryParameter("after") })

/** A page of tokens. If a token could not be created, its form and the problems are shown. */
const tokensPage = Effect.fnUntraced(function* (input = noInput, { problems, status }: Rejection = noProblems) {
  const { shop, visit } = yield* currentRequest
  const { after, q: search } = yield* listed
  const page = { search, after: after === "" ? undefined : after, limit: pageLength }
  const { next, tokens, total } = yield* searchTokens(shop.id, page)
  const included = includesApi(shop.plan)
  const isFull = total >= maximumTokens
  return yield* renderStorePage(
    { title: visit.texts.tokens.title, section: "tokens", status },
    <>
      <PageTitle title={visit.texts.tokens.title} lead={visit.texts.tokens.lead} />
      {!included && <PlanGate visit={visit} />}
      {included && isFull && <FullNotice text={visit.texts.tokens.full(maximumTokens)} />}
      {included && !isFull && <NewToken visit={visit} input={input} problems={problems} />}
      {visit.flash?.secret !== undefined && <TryToken visit={visit} token={visit.flash.secret.value} />}
      {total === 0 && included && <NoTokens visit={visit} />}
      {total > pageLength && <SearchForm visit={visit} label={visit.texts.paging.tokens} search={search} />}
      {total > 0 && tokens.length === 0 && (
        <section class="card" aria-label={visit.texts.tokens.title}>
          <NoneFound visit={visit} search={search} />
        </section>
      )}
      {tokens.length > 0 && <TokenTable visit={visit} tokens={tokens} query={addressOf("", { q: search, after })} />}
      <Pages visit={visit} sorted="first" next={next} />
    </>,
  )
})

const PlanGate = ({ visit }: VisitProps) => (
  <section class="card">
    <Empty icon="token" title={visit.texts.tokens.planTitle} text={visit.texts.tokens.planText} />
  </section>
)

/** A command with the new token in it, while that is shown. */
const TryToken = ({ token, visit }: VisitProps & { readonly token: string }) => (
  <section class="card pad stack tight" aria-label={visit.texts.tokens.tryIt}>
    <p>{visit.texts.tokens.tryIt}</p>
    <Copyable label={visit.texts.parts.command} text={firstRequest(token, visit.apiUrl)} />
  </section>
)

const NoTokens = ({ visit }: VisitProps) => (
  <section class="card" aria-label={visit.texts.tokens.list}>
    <Empty icon="token" title={visit.texts.tokens.none}>
      <p>{visit.texts.tokens.noneLead}</p>
      <Copyable label={visit.texts.parts.command} text={firstRequest("cmz_…", visit.apiUrl)} />
    </Empty>
  </section>
)

const TokenTable = ({
  query,
  tokens,
  visit,
}: VisitProps & {
  readonly tokens: ReadonlyArray<Token>
  /** The query of this part of the list. */
  readonly query: string
}) => {
  const texts = visit.texts.tokens
  return (
    <section class="card" aria-label={texts.list} data-live="tokens">
      <Table
        rows={tokens}
        keyOf={({ id }) => id}
        columns={[
          {
            label: texts.name,
            isBare: true,
            cell: ({ name, scopes }) => (
              <>
                <strong>
                  <bdi>{name}</bdi>
                </strong>
                <p class="hint">{scopes.length === allScopes.length ? texts.everything : scopes.join(", ")}</p>
              </>
            ),
          },
          { label: texts.token, cell: ({ hint }) => <code>{`cmz_…${hint}`}</code> },
          { label: texts.created, cell: ({ createdAt }) => <Time at={createdAt} now={visit.now} /> },
          {
            label: texts.lastUsed,
            cell: ({ lastUsedAt }) =>
              lastUsedAt === null ? <span class="hint">{texts.never}</span> : <Time at={lastUsedAt} now={visit.now} />,
          },
          { label: texts.ends, cell: ({ expiresAt }) => <End visit={visit} expiresAt={expiresAt} /> },
          {
            label: texts.actions,
            class: "end",
            isBare: true,
            isHidden: true,
            cell: ({ id, name }) => (
              <ChangeLink
                visit={visit}
                class="button small danger"
                href={`${visit.root}tokens/${id}/delete${query}`}
                label={texts.removeLabel(name)}
                asks
              >
                {texts.remove}
              </ChangeLink>
            ),
          },
        ]}
      />
    </section>
  )
}

/** When a token ends, or that it has ended. */
const End = ({ expiresAt, visit }: VisitProps & Pick<Token, "expiresAt">) => {
  if (expiresAt === null) return <span class="hint">{visit.texts.tokens.never}</span>
  const time = <Time at={expiresAt} now={visit.now} />
  return Date.parse(expiresAt) > visit.now ? (
    time
  ) : (
    <>
      <span class="badge bad">{visit.texts.tokens.ended}</span> {time}
    </>
  )
}

const create = Effect.gen(function* () {
  const { shop, texts } = yield* currentRequest
  const input = yield* readNewToken
  return yield* createToken(shop.id, yield* tokenInputOf(input)).pipe(
    Effect.tap(({ token }) => logChange(`created the API token ${token.id}`)),
    Effect.flatMap(({ text }) =>
      Effect.flatMap(backTo("tokens"), (page) =>
        redirect(page, {
          tone: "good",
          text: texts.tokens.ready(input.name),
          secret: { label: texts.tokens.secret, value: Redacted.value(text) },
        }),
      ),
    ),
    Effect.catchTag(["InvalidInput", "Conflict", "PlanRequired"], (error) =>
      tokensPage(input, rejectionOf(error, texts, texts.problems.full(maximumTokens))),
    ),
  )
})

/** The token of the current store that the request's path names. */
const currentToken = Effect.gen(function* () {
  const { shop } = yield* CurrentShop
  const { id = "" } = yield* HttpRouter.params
  const token = (yield* listTokens(shop.id)).find((token) => token.id === id)
  return token ?? (yield* new Missing({ message: (yield* Visit).texts.tokens.missing }))
})

const deletePage = Effect.gen(function* () {
  const visit = yield* Visit
  const texts = visit.texts.tokens
  const { hint, lastUsedAt, name } = yield* currentToken
  const query = addressOf("", yield* listed)
  return yield* renderStorePage(
    { title: texts.deleteTitle(name), section: "tokens" },
    <DeleteQuestion visit={visit} query={query} submit={texts.deleteSubmit} cancelHref={`${visit.root}tokens${query}`}>
      <h1>{texts.deleteQuestion(<bdi>{name}</bdi>)}</h1>
      <p>{texts.deleteText(<code>{`cmz_…${hint}`}</code>)}</p>
      <p>{lastUsedAt === null ? texts.neverUsed : texts.lastUsedAt(<Time at={lastUsedAt} now={visit.now} />)}</p>
    </DeleteQuestion>,
  )
})

const confirmDelete = Effect.gen(function* () {
  const { shop } = yield* CurrentShop
  const { id, name } = yield* currentToken
  yield* deleteToken(shop.id, id)
  yield* logChange(`deleted the API token ${id}`)
  return yield* redirect(addressOf("tokens", yield* listed), {
    tone: "good",
    text: (yield* Visit).texts.tokens.deleted(name),
  })
})

/** The API tokens of a store. */
export const tokenRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/tokens", for: "store", handler: tokensPage() },
  {
    ...{ method: "POST", path: "/tokens", for: "store", handler: create },
    again: Effect.flatMap(readNewToken, (input) => tokensPage(input)),
  },
  { method: "GET", path: "/tokens/:id/delete", for: "store", handler: deletePage },
  { method: "POST", path: "/tokens/:id/delete", for: "store", handler: confirmDelete },
]
