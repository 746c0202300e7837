import { Effect } from "effect"
import type { Definition } from "../../../../core/model/catalog/Definition.ts"
import { format } from "../../../../core/model/Instant.ts"
import { listVersions } from "../../../../core/usecases/catalog/ListCustomizers.ts"
import { currentRequest, currentVersion } from "../../CurrentRecord.ts"
import { jsonFile, renderStorePage } from "../../Page.tsx"
import { LinkButton } from "../../parts/Buttons.tsx"
import { Card, Facts } from "../../parts/Card.tsx"
import { ApiCommand } from "../../parts/catalog/ApiCommand.tsx"
import { bytesIn, cut, fitting } from "../../parts/catalog/Cut.ts"
import { queryWith } from "../../parts/catalog/Links.ts"
import { AnswerTable, answersFrom, QuestionCard, questionBytes } from "../../parts/catalog/QuestionCard.tsx"
import { type Words, wordsFor } from "../../parts/catalog/Words.ts"
import { Crumbs, PageTitle } from "../../parts/Layout.tsx"
import { Parts } from "../../parts/List.tsx"
import { Time } from "../../parts/Time.tsx"
import { numberIn } from "../../Query.ts"
import type { Route } from "../../Routes.ts"
import type { VisitProps } from "../../Visit.ts"

/** Versions in the list, and bytes of a page that a part of a definition may take. */
const [versionsShown, room] = [8, 15 * 1024]

const page = Effect.gen(function* () {
  const { shop, visit } = yield* currentRequest
  const { customizer, query, version } = yield* currentVersion
  const before = numberIn(query, "before")
  const versions = yield* listVersions({ shop: shop.id, id: customizer.id, before, limit: versionsShown + 1 })
  const texts = visit.texts.customizers
  const own = `${visit.root}customizers/${customizer.id}`
  const listed = versions.slice(0, versionsShown)
  return yield* renderStorePage(
    { title: texts.customizerTitle(cut(customizer.title, 100)), section: "customizers" },
    <>
      <PageTitle
        actions={
          <div class="actions">
            {version !== null && (
              <LinkButton look="main" href={`${own}/evaluate?version=${version.number}`} text={texts.evaluate} />
            )}
            <LinkButton href={`${own}/publish`} text={texts.publish} />
          </div>
        }
      >
        <Crumbs links={[[`${visit.root}customizers`, texts.title]]} />
        <h1>
          <bdi>{cut(customizer.title, 100)}</bdi>
        </h1>
      </PageTitle>
      <Facts
        label={texts.about}
        facts={[
          [texts.number, customizer.id],
          [texts.product, <bdi>{customizer.platformProductId}</bdi>],
          [texts.assetBase, <bdi>{cut(customizer.assetBase, 500)}</bdi>],
          [texts.current, customizer.version ?? texts.notPublished],
        ]}
      />
      {listed.length > 0 && (
        <Card id="versions" title={texts.versions}>
          <ul class="plain">
            {listed.map(({ publishedAt, version: number }) => (
              <li key={number}>
                <a href={`${own}?version=${number}`}>{texts.versionOf(number)}</a>
                <span class="hint">
                  {`${texts.publishedAt} `}
                  <Time at={format(publishedAt)} now={visit.now} />
                  {number === version?.number && `, ${texts.shown}`}
                </span>
              </li>
            ))}
          </ul>
          {versions.length > versionsShown && (
            <p class="pad">
              <a href={queryWith({ version: version?.number, before: listed.at(-1)?.version })}>
                {texts.olderVersions}
              </a>
            </p>
          )}
        </Card>
      )}
      {version !== null && (
        <DefinitionCard
          definition={version.definition}
          number={version.number}
          query={query}
          visit={visit}
          words={wordsFor(version.definition, shop.currency, visit)}
        />
      )}
      {version !== null && (
        <section class="card pad stack tight" aria-label={visit.texts.orders.api}>
          <p>
            <LinkButton
              href={`${own}/definition?version=${version.number}`}
              download="definition.json"
              text={visit.texts.design.download}
            />
          </p>
          <ApiCommand url={visit.apiUrl} path={`/customizers/${customizer.id}`} />
        </section>
      )}
    </>,
  )
})

interface Part extends VisitProps {
  readonly definition: Definition
  readonly number: number
  readonly query: URLSearchParams
  readonly words: Words
}

/** A part of the definition in words: some questions, the answers of one, or some rules. */
const DefinitionCard = (part: Part) => {
  const { definition, number, query, visit } = part
  const texts = visit.texts.customizers
  const isRules = query.get("part") === "rules"
  const { questions, rules, steps } = definition
  const current = (here: boolean) => (here ? { "aria-current": "true" as const } : {})
  return (
    <section class="card" aria-labelledby="definition">
      <header>
        <h2 id="definition">{texts.definition(number)}</h2>
        <nav class="ranges" aria-label={texts.parts}>
          <a href={queryWith({ version: number })} {...current(!isRules)}>
            {texts.questions}
          </a>
          <a href={queryWith({ version: number, part: "rules" })} {...current(isRules)}>
            {texts.rules}
          </a>
        </nav>
      </header>
      <div class="pad stack">
        <p class="hint">
          {texts.counts(
            visit.figures.figure(steps.length),
            visit.figures.figure(questions.length),
            visit.figures.figure(rules.length),
          )}
        </p>
        {isRules ? <Rules {...part} /> : query.has("question") ? <Answers {...part} /> : <Questions {...part} />}
      </div>
    </section>
  )
}

const Questions = ({ definition: { questions, steps }, number, query, visit, words }: Part) => {
  const texts = visit.texts.customizers
  const at = numberIn(query, "at") ?? 0
  const rest = questions.slice(at, at + 100)
  if (rest.length === 0) return <p class="hint">{texts.noQuestions}</p>
  const shown = fitting(rest, room, questionBytes)
  const views = new Map(steps.map((step) => [step.id, step]))
  return (
    <>
      <ul class="stack questions">
        {shown.map((question, index) => {
          const step = views.get(question.step)
          return (
            <>
              {question.step !== shown[index - 1]?.step && step !== undefined && (
                <li>
                  <h3>
                    <bdi>{texts.step(cut(step.title, 60), cut(step.view, 60))}</bdi>
                  </h3>
                </li>
              )}
              <QuestionCard
                key={question.id}
                question={question}
                words={words}
                visit={visit}
                href={queryWith({ version: number, question: at + index })}
              />
            </>
          )
        })}
      </ul>
      <Parts
        label={texts.parts}
        at={at}
        end={at + shown.length}
        total={questions.length}
        link={(at) => queryWith({ version: number, at })}
        visit={visit}
      />
    </>
  )
}

const Answers = ({ definition: { questions }, number, query, visit, words }: Part) => {
  const texts = visit.texts.customizers
  const index = numberIn(query, "question") ?? 0
  const at = numberIn(query, "at") ?? 0
  const question = questions[index]
  if (question === undefined) return <p class="hint">{texts.noQuestions}</p>
  const shown = answersFrom(question, at, room)
  return (
    <>
      <p>
        <a href={queryWith({ version: number, at: index })}>{texts.backToQuestions}</a>
      </p>
      <h3>
        <bdi>{texts.answersOf(cut(question.title, 100))}</bdi>
      </h3>
      <AnswerTable answers={shown} words={words} visit={visit} />
      <Parts
        label={texts.parts}
        at={at}
        end={at + shown.length}
        total={question.answers?.length ?? 0}
        link={(at) => queryWith({ version: number, question: index, at })}
        visit={visit}
      />
    </>
  )
}

const Rules = ({ definition: { rules }, number, query, visit, words }: Part) => {
  const texts = visit.texts.customizers
  const at = numberIn(query, "at") ?? 0
  const rest = rules.slice(at, at + 200).map((rule) => ({ id: rule.id, sentence: words.rule(rule) }))
  if (rest.length === 0) return <p class="hint">{texts.noRules}</p>
  const shown = fitting(rest, room, ({ id, sentence }) => 90 + bytesIn(sentence, cut(id, 60)))
  return (
    <>
      <ul class="stack">
        {shown.map(({ id, sentence }) => (
          <li key={id}>
            <bdi>{sentence}</bdi> <code class="hint">{cut(id, 60)}</code>
          </li>
        ))}
      </ul>
      <Parts
        label={texts.parts}
        at={at}
        end={at + shown.length}
        total={rules.length}
        link={(at) => queryWith({ version: number, part: "rules", at })}
        visit={visit}
      />
    </>
  )
}

const download = Effect.map(currentVersion, ({ version }) => jsonFile(version?.text ?? "null", "definition.json"))

/** The page of a customizer, and the JSON of its definitions. */
export const customizerRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/customizers/:id", for: "store", handler: page },
  { method: "GET", path: "/customizers/:id/definition", for: "store", handler: download },
]
