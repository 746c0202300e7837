import type { ComponentChildren } from "preact"
import type { Endpoint } from "../../../core/model/Endpoint.ts"
import type { Token } from "../../../core/model/Token.ts"
import type { Visit } from "../Visit.ts"
import { Copyable } from "./Copyable.tsx"
import { Icon } from "./Icon.tsx"
import { PostForm } from "./PostForm.tsx"
import { snippets } from "./Snippets.ts"

/** The store as far as the checklist is about it. */
export interface FirstRunState {
  readonly tokens: ReadonlyArray<Pick<Token, "hint" | "lastUsedAt">>
  readonly endpoints: ReadonlyArray<Pick<Endpoint, "id">>
}

/** The snippet whose language a page's query names: the first unless it names another. */
const snippetOf = (language: string | null) => snippets.find((each) => each.language === language) ?? snippets[0]

/** A request to the REST API with a token. */
export const curlWith = (token: string, apiUrl: string): string =>
  `curl -H "Authorization: Bearer ${token}" "${apiUrl}/orders?limit=2"`

/** The steps that a store new to the app still has to take, until its first delivery. */
export const FirstRun = ({
  language,
  state: { endpoints, tokens },
  visit,
}: {
  readonly visit: Visit["Service"]
  readonly state: FirstRunState
  /** The language that the page's query names. */
  readonly language: string | null
}) => {
  const texts = visit.texts.firstRun
  const [endpoint] = endpoints
  const done = [tokens.length > 0, tokens.some(({ lastUsedAt }) => lastUsedAt !== null), endpoint !== undefined]
  return (
    <section class="card" aria-labelledby="first-run">
      <header>
        <h2 id="first-run">{texts.title}</h2>
        <p>{texts.progress(done.filter((each) => each).length, done.length + 2)}</p>
      </header>
      <ol class="steps">
        <Step visit={visit} title={texts.token} isDone={done[0] === true}>
          <p class="hint">{texts.tokenText}</p>
          <p>
            <a class="button" href={`${visit.root}tokens`}>
              {texts.tokenLink}
            </a>
          </p>
        </Step>
        <Step visit={visit} title={texts.curl} isDone={done[1] === true}>
          <p class="hint">{texts.curlText}</p>
          <Copyable label={texts.curlLabel} text={curlWith(`cmz_…${tokens[0]?.hint ?? ""}`, visit.apiUrl)} />
        </Step>
        <Step visit={visit} title={texts.endpoint} isDone={done[2] === true}>
          <p class="hint">{texts.endpointText}</p>
          <p>
            <a class="button" href={`${visit.root}webhooks/new`}>
              {texts.endpointLink}
            </a>
          </p>
        </Step>
        <Step visit={visit} title={texts.verify} isDone={false}>
          <p class="hint">{texts.verifyText}</p>
          {endpoint !== undefined && <Snippet visit={visit} language={language} />}
        </Step>
        <Step visit={visit} title={texts.test} isDone={false}>
          <p class="hint">{texts.testText}</p>
          {endpoint !== undefined && (
            <PostForm visit={visit} action={`${visit.root}webhooks/${endpoint.id}/test`}>
              <button class="button main" type="submit">
                {texts.testButton}
              </button>
            </PostForm>
          )}
        </Step>
      </ol>
    </section>
  )
}

const Step = ({
  children,
  isDone,
  title,
  visit: {
    texts: { firstRun: texts },
  },
}: {
  readonly visit: Visit["Service"]
  readonly title: string
  readonly isDone: boolean
  /** Shown until the step is done. */
  readonly children: ComponentChildren
}) => (
  <li class={isDone ? "stack tight done" : "stack tight"}>
    <h3>
      {isDone && <Icon name="check" />}
      {title}
      <span class="visually-hidden">{`: ${isDone ? texts.isDone : texts.isOpen}`}</span>
    </h3>
    {!isDone && children}
  </li>
)

/** An example of a receiver, with links to the other languages. */
const Snippet = ({ language, visit }: { readonly visit: Visit["Service"]; readonly language: string | null }) => {
  const texts = visit.texts.firstRun
  const shown = snippetOf(language)
  if (shown === undefined) return null
  return (
    <>
      <nav class="ranges" id="snippet" aria-label={texts.languages}>
        {snippets.map((each) => (
          <a
            key={each.language}
            href={`?language=${each.language}#snippet`}
            {...(each === shown ? { "aria-current": "true" } : {})}
          >
            {each.language}
          </a>
        ))}
      </nav>
      <Copyable label={texts.example(shown.language)} text={shown.code} />
    </>
  )
}
