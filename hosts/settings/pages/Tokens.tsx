import { Effect, Redacted } from "effect"
import { HttpRouter } from "effect/http"
import { NotFound } from "../../../core/model/Errors.ts"
import { includesApi } from "../../../core/model/Shop.ts"
import { createToken, listTokens, removeToken } from "../../../core/usecases/ManageTokens.ts"
import { changed } from "../Changes.ts"
import { goTo, show } from "../Page.tsx"
import { accepted, type Rejected, rejected } from "../Problems.ts"
import { Copyable } from "../parts/Copyable.tsx"
import { Field } from "../parts/Field.tsx"
import { Icon } from "../parts/Icon.tsx"
import { PostForm } from "../parts/PostForm.tsx"
import { Time } from "../parts/Time.tsx"
import type { Route } from "../Routes.ts"
import { CurrentShop, Form, Visit } from "../Visit.ts"

/** What a new token is tried with. */
const curl = (url: string) => `curl -H "Authorization: Bearer cmz_…" "${url}/orders?limit=2"`

/** The page, with what the form had where that could not be taken. */
const page = Effect.fnUntraced(function* (name = "", { problems, status }: Rejected = accepted) {
  const visit = yield* Visit
  const { shop } = yield* CurrentShop
  const tokens = yield* listTokens(shop.id)
  const included = includesApi(shop.plan)
  return yield* show({
    title: "API tokens",
    section: "tokens",
    status,
    content: (
      <>
        <div class="title">
          <div>
            <h1>API tokens</h1>
            <p>
              With a token your systems read this store's orders, designs and customizers. It can't change anything.
            </p>
          </div>
        </div>
        {included ? (
          <section class="card pad">
            <PostForm visit={visit} kind="inline">
              <Field
                name="name"
                label="New token"
                hint="Name it after the system that will use it"
                problems={problems}
                control={(attributes) => (
                  <input type="text" value={name} maxLength={255} autocomplete="off" required {...attributes} />
                )}
              />
              <button class="button main" type="submit">
                Create token
              </button>
            </PostForm>
          </section>
        ) : (
          <PlanGate />
        )}
        {tokens.length === 0 && included && (
          <section class="card" aria-label="Tokens">
            <div class="empty">
              <Icon name="token" />
              <h2>No tokens yet</h2>
              <p>Create one for the first system that should read this store, and try it:</p>
              <Copyable label="the command" text={curl(visit.apiUrl)} />
            </div>
          </section>
        )}
        {tokens.length > 0 && (
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
        )}
      </>
    ),
  })
})

const PlanGate = () => (
  <section class="card">
    <div class="empty">
      <Icon name="token" />
      <h2>API tokens are part of the Pro and Plus plans</h2>
      <p>This store is on the free plan: tokens that it has are refused, and new ones can't be made.</p>
    </div>
  </section>
)

const create = Effect.gen(function* () {
  const { shop } = yield* CurrentShop
  const name = (yield* Form).text("name").trim()
  return yield* createToken(shop.id, { name }).pipe(
    Effect.tap(({ token }) => changed(`created the API token ${token.id}`)),
    Effect.flatMap(({ text }) =>
      goTo("tokens", {
        tone: "good",
        text: `The token “${name}” is ready.`,
        secret: { label: "the token", value: Redacted.value(text) },
      }),
    ),
    Effect.catchTag(["InvalidInput", "PlanRequired"], (error) => page(name, rejected(error))),
  )
})

const tokenAtHand = Effect.gen(function* () {
  const { shop } = yield* CurrentShop
  const { id = "" } = yield* HttpRouter.params
  const token = (yield* listTokens(shop.id)).find((token) => token.id === id)
  return token ?? (yield* new NotFound({ message: "The store has no such token. It may have been deleted." }))
})

const ask = Effect.gen(function* () {
  const visit = yield* Visit
  const { hint, id, lastUsedAt, name } = yield* tokenAtHand
  return yield* show({
    title: "Delete a token",
    section: "tokens",
    content: (
      <section class="card pad stack" data-question>
        <h1>
          Delete the token “<bdi>{name}</bdi>”?
        </h1>
        <p>
          Whatever reads this store with <code>{`cmz_…${hint}`}</code> stops working at once, and gets the answer 401.
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
        <PostForm visit={visit} action="delete" kind="actions">
          <button class="button danger main" type="submit" name="token" value={id}>
            Delete token
          </button>
          <a class="button" href={`${visit.root}tokens`} data-cancel>
            Keep it
          </a>
        </PostForm>
      </section>
    ),
  })
})

const remove = Effect.gen(function* () {
  const { shop } = yield* CurrentShop
  const { id, name } = yield* tokenAtHand
  yield* removeToken(shop.id, id)
  yield* changed(`deleted the API token ${id}`)
  return yield* goTo("tokens", { tone: "good", text: `The token “${name}” is deleted: it is refused from now on.` })
})

/** API tokens of a store. */
export const tokenRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/tokens", for: "store", answer: page() },
  { method: "POST", path: "/tokens", for: "store", answer: create },
  { method: "GET", path: "/tokens/:id/delete", for: "store", answer: ask },
  { method: "POST", path: "/tokens/:id/delete", for: "store", answer: remove },
]
