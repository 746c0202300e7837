import type { Question } from "../../../../core/model/catalog/Definition.ts"
import type { Selection } from "../../../../core/model/catalog/Design.ts"
import type { VisitProps } from "../../Visit.ts"
import { reasonIn } from "../Reasons.ts"
import { bytesIn, cut } from "./Cut.ts"
import { answersOf, fieldOf, isById } from "./Selection.ts"
import type { Words } from "./Words.ts"

/** About as many bytes as the fields of a question take. */
export const fieldBytes = (question: Question): number =>
  550 +
  bytesIn(cut(question.title, 100)) +
  (isById(question) ? 0 : answersOf(question).reduce((sum, { title }) => sum + 200 + bytesIn(cut(title, 60)), 0))

interface Props extends VisitProps {
  readonly question: Question
  readonly index: number
  readonly selection: Selection
  readonly isVisible: boolean
  readonly disabled: ReadonlySet<string>
  readonly problems: ReadonlyArray<string>
  readonly words: Words
}

/** The fields of a question. A question that is hidden keeps its value. */
export const QuestionField = (props: Props) => {
  const { index, isVisible, problems, question, visit, words } = props
  const name = fieldOf(index)
  return (
    <fieldset id={name} hidden={!isVisible} data-part>
      <legend>
        <bdi>{cut(question.title, 100)}</bdi>{" "}
        {question.required === true && <span class="badge">{visit.texts.customizers.required}</span>}
      </legend>
      <p class="hint" id={`${name}-hint`}>
        {words.expected(question)}
      </p>
      <Control {...props} />
      {problems.length > 0 && (
        <p class="problem" id={`${name}-problem`}>
          {problems.map((message) => (
            <span key={message}>
              <Said message={message} visit={visit} />
              <br />
            </span>
          ))}
        </p>
      )}
    </fieldset>
  )
}

/** Characters of a problem, at most. */
const longestMessage = 300

/** What the evaluation says of a choice. */
export const Said = ({ message, visit }: VisitProps & { readonly message: string }) => {
  const { lang, text } = reasonIn(visit, message, longestMessage)
  return <bdi lang={lang}>{text}</bdi>
}

const Control = (props: Props) => {
  const { question, visit } = props
  const texts = visit.texts.evaluate
  const count = visit.figures.figure(answersOf(question).length)
  if (question.type === "text") return <Lines {...props} hint="" />
  if (question.type === "upload") {
    return <Lines {...props} hint={(question.max ?? 1) === 1 ? texts.uploadHint : texts.uploadsHint} />
  }
  if (!isById(question)) return <Choices {...props} />
  return <Lines {...props} hint={question.type === "single" ? texts.idHint(count) : texts.idsHint(count)} />
}

const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.join("\n")
  if (typeof value === "object" && value !== null && "text" in value) return String(value.text)
  return typeof value === "string" ? value : ""
}

/** A field for a text, or for ids. */
const Lines = ({ hint, index, problems, question, selection }: Props & { readonly hint: string }) => {
  const name = fieldOf(index)
  return (
    <>
      {hint !== "" && <p class="hint">{hint}</p>}
      <textarea
        name={name}
        rows={2}
        aria-label={cut(question.title, 100)}
        aria-describedby={problems.length === 0 ? `${name}-hint` : `${name}-hint ${name}-problem`}
        aria-invalid={problems.length === 0 ? undefined : "true"}
      >
        {textOf(selection[question.id])}
      </textarea>
    </>
  )
}

const Choices = ({ disabled, index, question, selection, visit, words }: Props) => {
  const name = fieldOf(index)
  const texts = visit.texts.evaluate
  const value = selection[question.id]
  const chosen = new Set(Array.isArray(value) ? value : [value])
  const type = question.type === "single" ? "radio" : "checkbox"
  return (
    <div class="choices">
      {type === "radio" && (
        <div class="choice">
          <input type="radio" id={`${name}-none`} name={name} value="" checked={value === undefined} />
          <label for={`${name}-none`}>{texts.none}</label>
        </div>
      )}
      {answersOf(question).map(({ id, price = 0, title }, at) => (
        <div class="choice" key={id}>
          <input
            type={type}
            id={`${name}-${at}`}
            name={name}
            value={String(at)}
            checked={chosen.has(id)}
            // A chosen one stays, so that what is wrong with the choice can be seen.
            disabled={disabled.has(id) && !chosen.has(id)}
          />
          <label for={`${name}-${at}`}>
            <bdi>{cut(title, 60)}</bdi>
            {price !== 0 && ` ${words.amount(price)}`}
            {disabled.has(id) && ` (${texts.disabled})`}
          </label>
        </div>
      ))}
    </div>
  )
}
