import { Effect, Result } from "effect"
import type { Definition, Question } from "../../../../core/model/catalog/Definition.ts"
import type { Selection } from "../../../../core/model/catalog/Design.ts"
import { type Tried, tryDefinition } from "../../../../core/usecases/catalog/TryDefinition.ts"
import { currentRequest, currentVersion } from "../../CurrentRecord.ts"
import { redirect, renderStorePage } from "../../Page.tsx"
import { LinkButton } from "../../parts/Buttons.tsx"
import { Copyable } from "../../parts/Copyable.tsx"
import { cut } from "../../parts/catalog/Cut.ts"
import { EvaluatedTables } from "../../parts/catalog/EvaluatedTables.tsx"
import { fieldBytes, QuestionField, Said } from "../../parts/catalog/QuestionField.tsx"
import { fieldOf, minorOf, openingSelection, selectionIn } from "../../parts/catalog/Selection.ts"
import { type Words, wordsFor } from "../../parts/catalog/Words.ts"
import { Crumbs, PageTitle } from "../../parts/Layout.tsx"
import { numberIn } from "../../Query.ts"
import type { Route } from "../../Routes.ts"
import type { VisitProps } from "../../Visit.ts"

/** Bytes of a page that the fields, and each table of the result, may take. */
const [fieldsRoom, tableRoom] = [11 * 1024, 2 * 1024]

/** Characters of the selection that are shown, and problems. */
const [maximumShown, problemsShown] = [600, 10]

/** The questions in parts that have room on a page, by the index of the first of each. */
const partsOf = (questions: ReadonlyArray<Question>): ReadonlyArray<number> => {
  const starts = [0]
  let left = fieldsRoom
  for (const [index, question] of questions.entries()) {
    const bytes = fieldBytes(question)
    if (bytes > left && index > (starts.at(-1) ?? 0)) {
      starts.push(index)
      left = fieldsRoom
    }
    left -= bytes
  }
  return starts
}

interface Evaluated extends VisitProps {
  readonly definition: Definition
  readonly version: number
  readonly base: string
  readonly isBaseWrong: boolean
  /** Whether nothing has been chosen yet: open questions are not problems then. */
  readonly isNew: boolean
  readonly selection: Selection
  readonly tried: Tried
  readonly words: Words
  readonly query: URLSearchParams
}

const page = Effect.gen(function* () {
  const { shop, visit } = yield* currentRequest
  const { customizer, query, version } = yield* currentVersion
  if (version === null) return yield* redirect(`customizers/${customizer.id}`)
  const { definition } = version
  const texts = visit.texts.evaluate
  const base = query.get("base") ?? "0"
  const basePrice = minorOf(base, visit.figures.decimals(shop.currency))
  const { currency, roundingStep } = shop
  const evaluate = (selection: Selection) =>
    tryDefinition(definition, { selection, basePrice: basePrice ?? 0, currency, roundingStep })
  const isNew = ![...query.keys()].some((name) => /^q\d/.test(name))
  const selection = isNew ? openingSelection(definition, evaluate({}).choices) : selectionIn(definition, query)
  const tried = evaluate(selection)
  const words = wordsFor(definition, currency, visit)
  const isBaseWrong = basePrice === undefined
  const shown = { base, definition, isBaseWrong, isNew, query, selection, tried, version: version.number, visit, words }
  return yield* renderStorePage(
    { title: texts.title(cut(customizer.title, 100)), section: "customizers" },
    <>
      <PageTitle>
        <Crumbs
          links={[
            [`${visit.root}customizers`, visit.texts.customizers.title],
            [`${visit.root}customizers/${customizer.id}?version=${version.number}`, cut(customizer.title, 100)],
          ]}
        />
        <h1>
          <bdi>{texts.title(cut(customizer.title, 100))}</bdi>
        </h1>
        <p>{texts.lead}</p>
      </PageTitle>
      <div class="beside">
        <Choices {...shown} />
        <ResultCard {...shown} />
      </div>
    </>,
  )
})

/** Problems by question. */
const problemsOf = ({ result }: Tried): ReadonlyMap<string, ReadonlyArray<string>> => {
  const problems = new Map<string, Array<string>>()
  if (Result.isSuccess(result)) return problems
  for (const { message, path } of result.failure.listed) problems.set(path, [...(problems.get(path) ?? []), message])
  return problems
}

const Choices = ({
  base,
  definition: { questions },
  isBaseWrong,
  isNew,
  query,
  selection,
  tried,
  version,
  visit,
  words,
}: Evaluated) => {
  const texts = visit.texts.evaluate
  const parts = partsOf(questions)
  const part = Math.min(numberIn(query, "part") ?? 0, parts.length - 1)
  const [from = 0, until = questions.length] = [parts[part], parts[part + 1]]
  const problems = isNew ? new Map() : problemsOf(tried)
  const elsewhere = questions.flatMap((_, index) =>
    index >= from && index < until ? [] : query.getAll(fieldOf(index)).map((value) => [fieldOf(index), value] as const),
  )
  return (
    <form class="card pad stack" method="get" data-as-chosen aria-label={texts.choices}>
      <input type="hidden" name="version" value={String(version)} />
      {elsewhere
        .filter(([, value]) => value !== "")
        .map(([name, value]) => (
          <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
        ))}
      <div class="actions">
        <button class="button main" type="submit" name="part" value={String(part)}>
          {texts.submit}
        </button>
        <LinkButton href={`?version=${version}`} text={texts.startAgain} />
        {parts.length > 1 && (
          <span class="hint">{texts.part(visit.figures.figure(part + 1), visit.figures.figure(parts.length))}</span>
        )}
      </div>
      <div class="field">
        <label for="base">{texts.base}</label>
        <input type="text" id="base" name="base" value={cut(base, 20)} inputMode="decimal" />
        {isBaseWrong && <p class="problem">{texts.wrongBase}</p>}
      </div>
      {questions.slice(from, until).map((question, index) => (
        <QuestionField
          key={question.id}
          question={question}
          index={from + index}
          selection={selection}
          isVisible={tried.choices.visible.has(question.id)}
          disabled={tried.choices.disabled.get(question.id) ?? new Set()}
          problems={problems.get(question.id) ?? []}
          words={words}
          visit={visit}
        />
      ))}
      {parts.length > 1 && (
        <div class="actions">
          {[part - 1, part + 1]
            .filter((other) => other >= 0 && other < parts.length)
            .map((other) => (
              <button key={other} class="button" type="submit" name="part" value={String(other)}>
                {texts.goToPart(visit.figures.figure(other + 1))}
              </button>
            ))}
        </div>
      )}
    </form>
  )
}

const ResultCard = ({
  definition: { questions },
  isBaseWrong,
  isNew,
  selection,
  tried: { result },
  visit,
}: Evaluated) => {
  const texts = visit.texts.evaluate
  const titles = new Map(questions.map(({ id, title }) => [id, title]))
  const json = JSON.stringify(selection)
  return (
    <section class="stack" aria-labelledby="result-title">
      <h2 id="result-title">{texts.result}</h2>
      <p role="status" id="verdict" data-part>
        {Result.isSuccess(result) && isBaseWrong ? (
          <span class="problem">{texts.wrongBase}</span>
        ) : Result.isSuccess(result) ? (
          <span class="badge good">
            {texts.valid(visit.figures.money(result.success.price.total, result.success.price.currency))}
          </span>
        ) : isNew ? (
          <span class="badge">
            {texts.open(visit.figures.figure(result.failure.total), result.failure.total === 1)}
          </span>
        ) : (
          <span class="badge bad">
            {texts.invalid(visit.figures.figure(result.failure.total), result.failure.total === 1)}
          </span>
        )}
      </p>
      <div class="stack" id="result" data-part>
        {Result.isSuccess(result) ? (
          <EvaluatedTables evaluated={result.success} questions={questions} bytes={tableRoom} visit={visit} />
        ) : (
          <ul class="card pad stack tight">
            {result.failure.listed.slice(0, problemsShown).map(({ message, path }) => (
              <li key={path + message}>
                <strong>
                  <bdi>{cut(titles.get(path) ?? path, 100)}</bdi>
                </strong>{" "}
                <Said message={message} visit={visit} />
              </li>
            ))}
            {result.failure.total > problemsShown && (
              <li class="hint">{texts.moreProblems(visit.figures.figure(result.failure.total - problemsShown))}</li>
            )}
          </ul>
        )}
        <h3>{texts.selection}</h3>
        <Copyable label={texts.copySelection} text={cut(json, maximumShown)} />
        {json.length > maximumShown && <p class="hint">{texts.selectionCut}</p>}
      </div>
    </section>
  )
}

/** The page that evaluates choices. It stores nothing. */
export const evaluateRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/customizers/:id/evaluate", for: "store", handler: page },
]
