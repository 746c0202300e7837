import { Data, Effect } from "effect"
import type { CustomizerSummary } from "../../../../core/ports/CustomizerStore.ts"
import { checkDefinition, type DefinitionCheck } from "../../../../core/usecases/catalog/CheckDefinition.ts"
import { publishCustomizer } from "../../../../core/usecases/catalog/PublishCustomizer.ts"
import { logChange } from "../../ChangeLog.ts"
import { currentCustomizer, currentRequest } from "../../CurrentRecord.ts"
import { Form } from "../../Form.ts"
import { redirect, renderStorePage } from "../../Page.tsx"
import { bytesIn, cut, fitting } from "../../parts/catalog/Cut.ts"
import { Crumbs, PageTitle } from "../../parts/Layout.tsx"
import { PostForm } from "../../parts/PostForm.tsx"
import { reasonIn } from "../../parts/Reasons.ts"
import type { Route } from "../../Routes.ts"
import { Visit, type VisitProps } from "../../Visit.ts"

/** Definitions with more characters are not shown again; bytes of a page that problems may take. */
const [longestShown, problemsRoom] = [8 * 1024, 10 * 1024]

/** Characters of a problem, at most. */
const longestMessage = 300

/** A form with a definition, each character of which may take three, in KiB. */
const maximumForm = 2 * 1024

/** The person may not publish definitions. The message is in the reader's language. */
class NotAllowed extends Data.TaggedError("NotAllowed")<{ readonly message: string }> {}

const pageOf = Effect.fnUntraced(function* (
  customizer: CustomizerSummary,
  sent?: { readonly text: string; readonly check: DefinitionCheck },
) {
  const visit = yield* Visit
  const texts = visit.texts.publish
  const text = sent?.text ?? ""
  const isShown = bytesIn(text) <= longestShown
  return yield* renderStorePage(
    {
      title: texts.title(cut(customizer.title, 100)),
      section: "customizers",
      status: sent !== undefined && sent.check.definition === null ? 422 : 200,
    },
    <>
      <PageTitle>
        <Crumbs
          links={[
            [`${visit.root}customizers`, visit.texts.customizers.title],
            [`${visit.root}customizers/${customizer.id}`, cut(customizer.title, 100)],
          ]}
        />
        <h1>
          <bdi>{texts.title(cut(customizer.title, 100))}</bdi>
        </h1>
        <p>{visit.visitor.mayPublish ? texts.lead : `${texts.lead} ${texts.readOnly}`}</p>
      </PageTitle>
      {sent !== undefined && <CheckResult {...sent} visit={visit} />}
      <PostForm visit={visit} class="card pad stack" evenReadOnly>
        <div class="field">
          <label for="definition">{texts.definition}</label>
          <p class="hint" id="definition-hint">
            {isShown ? texts.hint : texts.notShown}
          </p>
          <textarea
            class="mono"
            id="definition"
            name="definition"
            rows={16}
            spellcheck={false}
            aria-describedby={sent === undefined ? "definition-hint" : "definition-hint check"}
            aria-invalid={sent !== undefined && sent.check.definition === null ? "true" : undefined}
          >
            {isShown ? text : ""}
          </textarea>
        </div>
        <div class="actions">
          <button class="button main" type="submit" name="action" value="check">
            {texts.check}
          </button>
          {visit.visitor.mayPublish && (
            <button class="button" type="submit" name="action" value="publish">
              {texts.publish}
            </button>
          )}
        </div>
      </PostForm>
    </>,
  )
})

const CheckResult = ({
  check: { definition, problems, total },
  text,
  visit,
}: VisitProps & { readonly text: string; readonly check: DefinitionCheck }) => {
  const texts = visit.texts.publish
  if (definition !== null) {
    const { questions, rules, steps } = definition
    return (
      <section class="notice good" role="status" id="check" tabIndex={-1} autofocus>
        <p>
          <strong>{texts.sound}</strong>{" "}
          {visit.texts.customizers.counts(
            visit.figures.figure(steps.length),
            visit.figures.figure(questions.length),
            visit.figures.figure(rules.length),
          )}
        </p>
      </section>
    )
  }
  const lines = text.split("\n")
  const all = problems.map(({ message, path, place }) => ({
    ...reasonIn(visit, message, longestMessage),
    path: cut(path, 200),
    place,
    excerpt: place === null ? "" : excerptOf(lines[place.line - 1] ?? "", place.column),
  }))
  const shown = fitting(all, problemsRoom, ({ excerpt, path, text }) => 300 + bytesIn(excerpt, text, path))
  return (
    <section class="card" role="status" id="check" aria-labelledby="problems" tabIndex={-1} autofocus>
      <header>
        <h2 id="problems">{texts.problems(visit.figures.figure(total), total === 1)}</h2>
      </header>
      <ol class="plain problems">
        {shown.map(({ excerpt, lang, path, place, text }, index) => (
          <li key={index}>
            <div class="stack tight">
              <p class="hint">
                {place === null
                  ? texts.whole
                  : texts.at(visit.figures.figure(place.line), visit.figures.figure(place.column))}{" "}
                {path !== "" && <code>{path}</code>}
              </p>
              <p>
                <bdi lang={lang}>{text}</bdi>
              </p>
              {excerpt !== "" && (
                <pre class="response">
                  <bdi>{excerpt}</bdi>
                </pre>
              )}
            </div>
          </li>
        ))}
      </ol>
      {shown.length < total && <p class="pad hint">{texts.more(visit.figures.figure(total - shown.length))}</p>}
    </section>
  )
}

/** A line from shortly before a column on. */
const excerptOf = (line: string, column: number): string => {
  const from = column <= 40 ? 0 : column - 21
  return (
    (from === 0 ? "" : "…") +
    cut(
      line
        .slice(from, from + 200)
        .toWellFormed()
        .trim(),
      80,
    )
  )
}

const page = Effect.flatMap(currentCustomizer, (customizer) => pageOf(customizer))

/** Checks the definition of the form, also for read-only visitors; publishes it if that is what the button says. */
const send = Effect.gen(function* () {
  const { shop, visit } = yield* currentRequest
  const form = yield* Form
  const customizer = yield* currentCustomizer
  const isPublishing = form.text("action") === "publish"
  if (isPublishing && !visit.visitor.mayPublish)
    return yield* new NotAllowed({ message: visit.texts.publish.forbidden })
  const text = form.text("definition").replaceAll("\r\n", "\n")
  const check = checkDefinition(text)
  if (!isPublishing || check.definition === null) return yield* pageOf(customizer, { text, check })
  const { value } = yield* publishCustomizer(shop.id, customizer.id, { definition: check.definition })
  const version = value.version ?? 0
  yield* logChange(`published version ${version} of the customizer ${customizer.id}`)
  return yield* redirect(`customizers/${customizer.id}`, { tone: "good", text: visit.texts.publish.published(version) })
})

const again = Effect.gen(function* () {
  const customizer = yield* currentCustomizer
  const text = (yield* Form).text("definition").replaceAll("\r\n", "\n")
  return yield* pageOf(customizer, { text, check: checkDefinition(text) })
})

/** The page that checks a definition, and publishes it. */
export const publishRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/customizers/:id/publish", for: "store", handler: page },
  {
    method: "POST",
    path: "/customizers/:id/publish",
    for: "store",
    evenReadOnly: true,
    maximumForm,
    handler: send,
    again,
  },
]
