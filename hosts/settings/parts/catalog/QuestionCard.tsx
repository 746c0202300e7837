import type { DefinitionAnswer, Question } from "../../../../core/model/catalog/Definition.ts"
import type { Visit } from "../../Visit.ts"
import { Table } from "../List.tsx"
import { bytesIn, cut, fitting } from "./Cut.ts"
import { Isolated } from "./Isolated.tsx"
import type { Words } from "./Words.ts"

/** Answers that are shown with their question. */
const answersShown = 8

const bytesOfAnswer = ({ id, productionCode, title }: DefinitionAnswer): number =>
  430 + bytesIn(cut(title, 100), cut(productionCode, 100), cut(id, 60))

/** About as many bytes as a question takes. */
export const questionBytes = ({ answers = [], id, orderKey, productionKey, title }: Question): number =>
  700 +
  bytesIn(cut(title, 100), cut(id, 60), cut(orderKey ?? title, 60), cut(productionKey ?? id, 60)) +
  answers.slice(0, answersShown).reduce((sum, answer) => sum + bytesOfAnswer(answer), 0)

/** The answers from one on that have room. */
export const answersFrom = (question: Question, at: number, bytes: number): ReadonlyArray<DefinitionAnswer> => {
  const rest = (question.answers ?? []).slice(at, at + 200)
  return rest.length === 0 ? [] : fitting(rest, bytes, bytesOfAnswer)
}

/** A question as a reader of the definition sees it, with its first answers. */
export const QuestionCard = ({
  href,
  question,
  visit,
  words,
}: {
  readonly question: Question
  readonly words: Words
  readonly visit: Visit["Service"]
  /** The page with all its answers. */
  readonly href: string
}) => {
  const texts = visit.texts.customizers
  const { answers = [], hidden, id, orderKey, printArea, productionKey, required, title } = question
  const facts = [
    words.expected(question),
    texts.idOf(cut(id, 60)),
    texts.keysOf(cut(orderKey ?? title, 60), cut(productionKey ?? id, 60)),
    ...(printArea === undefined ? [] : [texts.printArea(cut(printArea, 60))]),
  ]
  return (
    <li class="stack tight">
      <h4>
        <bdi>{cut(title, 100)}</bdi> {required === true && <span class="badge">{texts.required}</span>}{" "}
        {hidden === true && <span class="badge">{texts.hidden}</span>}
      </h4>
      <p class="hint">
        <Isolated texts={facts} between=" · " />
      </p>
      {answers.length > 0 && <AnswerTable answers={answers.slice(0, answersShown)} words={words} visit={visit} />}
      {answers.length > answersShown && (
        <p>
          <a href={href}>{texts.allAnswers(visit.figures.figure(answers.length))}</a>
        </p>
      )}
    </li>
  )
}

/** Answers with their codes and prices. */
export const AnswerTable = ({
  answers,
  visit,
  words,
}: {
  readonly answers: ReadonlyArray<DefinitionAnswer>
  readonly words: Words
  readonly visit: Visit["Service"]
}) => {
  const texts = visit.texts.customizers
  return (
    <Table
      kind="values"
      rows={answers}
      keyOf={({ id }) => id}
      columns={[
        {
          label: texts.answer,
          cell: ({ id, title }) => (
            <span>
              <bdi>{cut(title, 100)}</bdi> <code class="hint">{cut(id, 60)}</code>
            </span>
          ),
        },
        { label: texts.code, cell: ({ productionCode }) => <code>{cut(productionCode, 100)}</code> },
        {
          label: texts.price,
          class: "number",
          cell: ({ price = 0 }) => (price === 0 ? texts.free : words.amount(price)),
        },
        {
          label: texts.variant,
          cell: ({ variantId = null }) => variantId !== null && <bdi>{cut(String(variantId), 100)}</bdi>,
        },
      ]}
    />
  )
}
