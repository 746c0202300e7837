import type { ComponentChildren } from "preact"
import { type FirstRun as FirstRunState, stepsOf } from "../../../core/usecases/access/FirstRun.ts"
import type { VisitProps } from "../Visit.ts"
import { Submit } from "./Buttons.tsx"
import { Card } from "./Card.tsx"
import { ChangeLink } from "./ChangeLink.tsx"
import { Copyable } from "./Copyable.tsx"
import { curlWith } from "./Curl.ts"
import { hereWith } from "./CurrentLanguage.ts"
import { Icon } from "./Icon.tsx"
import { PostForm } from "./PostForm.tsx"
import { snippets } from "./Snippets.ts"

/** The snippet whose language a page's query names: the first unless it names another. */
const snippetOf = (language: string | null) => snippets.find((each) => each.language === language) ?? snippets[0]

/** The first request to the REST API. */
export const firstRequest = (token: string, apiUrl: string): string => curlWith(token, `${apiUrl}/orders?limit=2`)

/** The steps that a store new to the app still has to take, until all are done or somebody hides them. */
export const FirstRun = ({
  language,
  state,
  visit,
}: VisitProps & {
  readonly state: FirstRunState
  /** The language that the page's query names. */
  readonly language: string | null
}) => {
  const texts = visit.texts.firstRun
  const {
    endpoints: [endpoint],
    tokens: [token],
  } = state
  const done = stepsOf(state)
  const all = Object.values(done)
  return (
    <Card
      id="first-run"
      title={texts.title}
      aside={<p>{texts.progress(all.filter((each) => each).length, all.length)}</p>}
    >
      <ol class="steps">
        <Step visit={visit} title={texts.token} isDone={done.token}>
          <p class="hint">{texts.tokenText}</p>
          <p>
            <ChangeLink visit={visit} href={`${visit.root}tokens`}>
              {texts.tokenLink}
            </ChangeLink>
          </p>
        </Step>
        <Step visit={visit} title={texts.curl} isDone={done.curl}>
          <p class="hint">{texts.curlText}</p>
          <Copyable label={visit.texts.parts.command} text={firstRequest(`cmz_…${token?.hint ?? ""}`, visit.apiUrl)} />
        </Step>
        <Step visit={visit} title={texts.endpoint} isDone={done.endpoint}>
          <p class="hint">{texts.endpointText}</p>
          <p>
            <ChangeLink visit={visit} href={`${visit.root}webhooks/new`}>
              {texts.endpointLink}
            </ChangeLink>
          </p>
        </Step>
        <Step visit={visit} title={texts.verify} isDone={done.verify}>
          <p class="hint">{texts.verifyText}</p>
          {endpoint !== undefined && <Snippet visit={visit} language={language} />}
        </Step>
        <Step visit={visit} title={texts.test} isDone={done.test}>
          <p class="hint">{texts.testText}</p>
          {endpoint !== undefined && (
            <PostForm visit={visit} action={`${visit.root}webhooks/${endpoint.id}/test`}>
              <Submit look="main" text={visit.texts.endpoint.sendTest} />
            </PostForm>
          )}
        </Step>
      </ol>
      <div class="pad">
        <PostForm visit={visit} action={`${visit.root}first-run/hide`}>
          <Submit text={texts.hide} />
        </PostForm>
      </div>
    </Card>
  )
}

const Step = ({
  children,
  isDone,
  title,
  visit: {
    texts: { firstRun: texts },
  },
}: VisitProps & {
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
const Snippet = ({ language, visit }: VisitProps & { readonly language: string | null }) => {
  const texts = visit.texts.firstRun
  const shown = snippetOf(language)
  if (shown === undefined) return null
  return (
    <>
      <nav class="ranges" id="snippet" aria-label={texts.languages}>
        {snippets.map((each) => (
          <a
            key={each.language}
            href={`${hereWith(visit, { language: each.language })}#snippet`}
            {...(each === shown ? { "aria-current": "true" } : {})}
          >
            {each.language}
          </a>
        ))}
      </nav>
      <Copyable label={visit.texts.newEndpoint.example(shown.language)} text={shown.code} />
    </>
  )
}
