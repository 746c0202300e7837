import { Clock, Effect } from "effect"
import { allScopes, type TokenInput, TokenScope } from "../../../../core/model/access/Token.ts"
import { format } from "../../../../core/model/Instant.ts"
import { Form } from "../../Form.ts"
import type { Problems } from "../../Problems.ts"
import type { VisitProps } from "../../Visit.ts"
import { Submit } from "../Buttons.tsx"
import { CodeBoxes } from "../CodeBoxes.tsx"
import { useTexts } from "../CurrentLanguage.ts"
import { Field } from "../Field.tsx"
import { PostForm } from "../PostForm.tsx"

/** The content of a new token's form, as it was sent. */
export interface NewTokenInput {
  readonly name: string
  /** Days until the end; `""` for none. */
  readonly days: string
  readonly scopes: ReadonlyArray<string>
}

/** The content of the form before anyone has sent it. */
export const noInput: NewTokenInput = { name: "", days: "", scopes: allScopes }

const day = 86_400_000

/** The lifetimes to choose from, in days. */
const lifetimes = ["30", "90", "365"] as const

/** The content that was sent. */
export const readNewToken = Effect.map(
  Form,
  ({ all, text }): NewTokenInput => ({ name: text("name").trim(), days: text("expiresAt"), scopes: all("scopes") }),
)

/** The input of the use case, which validates it. It refuses a lifetime that is none of the choices. */
export const tokenInputOf = ({ days, name, scopes }: NewTokenInput) =>
  Effect.map(Clock.currentTimeMillis, (now): TokenInput => {
    const isChoice = lifetimes.some((choice) => choice === days)
    const expiresAt = days === "" ? null : isChoice ? format(now + Number(days) * day) : days
    return { name, expiresAt, scopes: scopes as ReadonlyArray<TokenScope> }
  })

/** The form of a new token. */
export const NewToken = ({
  input,
  problems,
  visit,
}: VisitProps & { readonly input: NewTokenInput; readonly problems: Problems }) => {
  const { tokens: texts } = useTexts()
  const isOfField = ({ path }: Problems[number], name: string) => path === name || path.startsWith(`${name}[`)
  // Problems of the store, such as too many tokens, stand at the name.
  const named = problems.flatMap((problem) =>
    isOfField(problem, "expiresAt") || isOfField(problem, "scopes") ? [] : [{ ...problem, path: "name" }],
  )
  const ended = problems.filter((problem) => isOfField(problem, "expiresAt"))
  const scoped = problems.some((problem) => isOfField(problem, "scopes"))
  return (
    <section class="card pad">
      <PostForm visit={visit} class="stack">
        <Field
          name="name"
          label={texts.newToken}
          hint={texts.newTokenHint}
          problems={named}
          control={(attributes) => (
            <input type="text" value={input.name} maxLength={255} autocomplete="off" required {...attributes} />
          )}
        />
        <Field
          name="expiresAt"
          label={texts.ends}
          hint={texts.endsHint}
          problems={ended}
          focuses={named.length === 0}
          control={(attributes) => (
            <select {...attributes}>
              <option value="" selected={input.days === ""}>
                {texts.never}
              </option>
              {lifetimes.map((days) => (
                <option key={days} value={days} selected={input.days === days}>
                  {texts.inDays(Number(days))}
                </option>
              ))}
            </select>
          )}
        />
        <CodeBoxes
          name="scopes"
          legend={texts.scopes}
          words={TokenScope.literals}
          hints={texts.scopeHints}
          ticked={input.scopes}
          hasProblem={scoped}
          focuses={named.length === 0 && ended.length === 0}
        />
        <div>
          <Submit look="main" text={texts.create} />
        </div>
      </PostForm>
    </section>
  )
}
