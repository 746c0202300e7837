import { Effect, Redacted } from "effect"
import { HttpRouter } from "effect/http"
import { NotFound } from "../../../core/model/Errors.ts"
import { includesApi } from "../../../core/model/Shop.ts"
import type { Token } from "../../../core/model/Token.ts"
import { createToken, deleteToken, listTokens } from "../../../core/usecases/tokens/ManageTokens.ts"
import { logChange } from "../ChangeLog.ts"
import { Form } from "../Form.ts"
import { redirect, renderStorePage } from "../Page.tsx"
import { noProblems, type Problems, type Rejection, rejectionOf } from "../Problems.ts"
import { Copyable } from "../parts/Copyable.tsx"
import { DeleteQuestion } from "../parts/DeleteQuestion.tsx"
import { Field } from "../parts/Field.tsx"
import { Icon } from "../parts/Icon.tsx"
import { PageTitle } from "../parts/PageTitle.tsx"
import { PostForm } from "../parts/PostForm.tsx"
import { Time } from "../parts/Time.tsx"
import type { Route } from "../Routes.ts"
import { CurrentShop, Visit } from "../Visit.ts"

type VisitProps = { readonly visit: Visit["Service"] }

/** The page of all tokens. If a token could not be created, its name and the problems are shown. */
const tokensPage = Effect.fnUntraced(function* (name = "", { problems, status }: Rejection = noProblems) {
  const visit = yield* Visit
  const { shop } = yield* CurrentShop
  const tokens = yield* listTokens(shop.id)
  const included = includesApi(shop.plan)
  return yield* renderStorePage({
    title: "API tokens",
    section: "tokens",
    status,
    content: (
      <>
        <PageTitle>
          <h1>API tokens</h1>
          <p>
            Your systems use a token to read this store's orders, designs and customizers. A token can't change
            anything.
          </p>
        </PageTitle>
        {included ? <NewToken visit={visit} name={name} problems={problems} /> : <PlanGate />}
        {tokens.length === 0 && included && <NoTokens visit={visit} />}
        {tokens.length > 0 && <TokenTable visit={visit} tokens={tokens} />}
      </>
    ),
  })
})

const NewToken = ({ name, problems, visit }: VisitProps & { readonly name: string; readonly problems: Problems }) => (
  <section class="card pad">
    <PostForm visit={visit} class="inline">
      <Field
        name="name"
        label="New token"
        hint="Name it after the system that will use it"
        // The only field: what is wrong with the store, such as too many tokens, stands there too.
        problems={problems.map(({ message }) => ({ path: "name", message }))}
        control={(attributes) => (
          <input type="text" value={name} maxLength={255} autocomplete="off" required {...attributes} />
        )}
      />
      <button class="button main" type="submit">
        Create token
      </button>
    </PostForm>
  </section>
)

const PlanGate = () => (
  <section class="card">
    <div class="empty">
      <Icon name="token" />
      <h2>API tokens are part of the Pro and Plus plans</h2>
      <p>This store is on the free plan. Its tokens are refused, and new ones can't be created.</p>
    </div>
  </section>
)

const NoTokens = ({ visit }: VisitProps) => (
  <section class="card" aria-label="Tokens">
    <div class="empty">
      <Icon name="token" />
      <h2>No tokens yet</h2>
      <p>Create one for the first system that will read this store, then try it:</p>
      <Copyable label="the command" text={`curl -H "Authorization: Bearer cmz_…" "${visit.apiUrl}/orders?limit=2"`} />
    </div>
  </section>
)

const TokenTable = ({ tokens, visit }: VisitProps & { readonly tokens: ReadonlyArray<Token> }) => (
  <section class="card" aria-label="Tokens">
    <table class="folding">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Token</th>
          <th scope="col">Created</th>
          <th scope="col">Last used</th>
          <th scope="col">
            <span class="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {tokens.map(({ createdAt, hint, id, lastUsedAt, name }) => (
          <tr key={id}>
            <td>
              <strong>
                <bdi>{name}</bdi>
              </strong>
            </td>
            <td data-label="Token">
              <code>{`cmz_…${hint}`}</code>
            </td>
            <td data-label="Created">
              <Time at={createdAt} now={visit.now} />
            </td>
            <td data-label="Last used">
              {lastUsedAt === null ? <span class="hint">Never</span> : <Time at={lastUsedAt} now={visit.now} />}
            </td>
            <td class="end">
              <a
                class="button small danger"
                href={`${visit.root}tokens/${id}/delete`}
                data-ask
                aria-label={`Delete the token ${name}`}
              >
                Delete
              </a>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)

const create = Effect.gen(function* () {
  const { shop } = yield* CurrentShop
  const name = (yield* Form).text("name").trim()
  return yield* createToken(shop.id, { name }).pipe(
    Effect.tap(({ token }) => logChange(`created the API token ${token.id}`)),
    Effect.flatMap(({ text }) =>
      redirect("tokens", {
        tone: "good",
        text: `The token “${name}” is ready.`,
        secret: { label: "the token", value: Redacted.value(text) },
      }),
    ),
    Effect.catchTag(["InvalidInput", "Conflict", "PlanRequired"], (error) => tokensPage(name, rejectionOf(error))),
  )
})

/** The token of the current store that the request's path names. */
const currentToken = Effect.gen(function* () {
  const { shop } = yield* CurrentShop
  const { id = "" } = yield* HttpRouter.params
  const token = (yield* listTokens(shop.id)).find((token) => token.id === id)
  return token ?? (yield* new NotFound({ message: "The store has no such token. It may have been deleted." }))
})

const deletePage = Effect.gen(function* () {
  const visit = yield* Visit
  const { hint, lastUsedAt, name } = yield* currentToken
  return yield* renderStorePage({
    title: "Delete a token",
    section: "tokens",
    content: (
      <DeleteQuestion visit={visit} submit="Delete token" cancelHref={`${visit.root}tokens`}>
        <h1>
          Delete the token “<bdi>{name}</bdi>”?
        </h1>
        <p>
          Systems that read this store with <code>{`cmz_…${hint}`}</code> stop working at once and get the response 401.
          This can't be undone.
        </p>
        <p>
          {lastUsedAt === null ? (
            "It has never been used."
          ) : (
            <>
              It was last used <Time at={lastUsedAt} now={visit.now} />.
            </>
          )}
        </p>
      </DeleteQuestion>
    ),
  })
})

const confirmDelete = Effect.gen(function* () {
  const { shop } = yield* CurrentShop
  const { id, name } = yield* currentToken
  yield* deleteToken(shop.id, id)
  yield* logChange(`deleted the API token ${id}`)
  return yield* redirect("tokens", {
    tone: "good",
    text: `The token “${name}” is deleted. From now on, it is refused.`,
  })
})

/** The API tokens of a store. */
export const tokenRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/tokens", for: "store", handler: tokensPage() },
  { method: "POST", path: "/tokens", for: "store", handler: create },
  { method: "GET", path: "/tokens/:id/delete", for: "store", handler: deletePage },
  { method: "POST", path: "/tokens/:id/delete", for: "store", handler: confirmDelete },
]
