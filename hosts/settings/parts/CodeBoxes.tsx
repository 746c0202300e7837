import { useTexts } from "./CurrentLanguage.ts"

/** Boxes to tick, each for a word of the API with a hint. */
export const CodeBoxes = <Word extends string>({
  focuses,
  hint,
  hints,
  legend,
  name,
  hasProblem,
  ticked,
  words,
}: {
  readonly name: "events" | "scopes"
  readonly legend: string
  readonly hint?: string | false
  readonly words: ReadonlyArray<Word>
  readonly hints: Readonly<Record<Word, string>>
  readonly ticked: ReadonlyArray<string>
  readonly hasProblem: boolean
  /** Whether the first box gets the focus when the page opens, if there is a problem. */
  readonly focuses: boolean
}) => {
  const { problems } = useTexts()
  return (
    <fieldset {...(hasProblem ? { "aria-describedby": `${name}-problem` } : {})}>
      <legend>{legend}</legend>
      {hint && <p class="hint">{hint}</p>}
      {words.map((word, index) => (
        <div key={word} class="choice">
          <input
            type="checkbox"
            id={`${name}-${word}`}
            name={name}
            value={word}
            checked={ticked.includes(word)}
            autofocus={hasProblem && focuses && index === 0}
            aria-describedby={`${name}-${word}-hint`}
          />
          <label for={`${name}-${word}`}>
            <code>{word}</code>
          </label>
          <p class="hint" id={`${name}-${word}-hint`}>
            {hints[word]}
          </p>
        </div>
      ))}
      {hasProblem && (
        <p class="problem" id={`${name}-problem`}>
          {problems[name]}
        </p>
      )}
    </fieldset>
  )
}
