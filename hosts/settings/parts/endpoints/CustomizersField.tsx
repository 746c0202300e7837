import type { Problems } from "../../Problems.ts"
import { useTexts } from "../CurrentLanguage.ts"
import type { CustomizerChoice } from "../catalog/CustomizerField.tsx"

const name = "customizers"

/** The customizers of an endpoint as boxes to tick, each with its title: none for all. */
export const CustomizersField = ({
  choices,
  focuses,
  problems,
  ticked,
}: {
  readonly choices: ReadonlyArray<CustomizerChoice>
  readonly ticked: ReadonlyArray<number | string>
  readonly problems: Problems
  readonly focuses: boolean
}) => {
  const texts = useTexts().endpointOptions.customizers
  const wrong = problems.filter(({ path }) => path.startsWith(name))
  // The ticked ones come first, in their order, so that a form that is sent back as it was changes nothing. An endpoint
  // may name a customizer that does not exist.
  const titleOf = (wanted: number | string) => choices.find(({ id }) => id === wanted)?.title ?? String(wanted)
  const others = choices.filter(({ id }) => !ticked.includes(id))
  const all = [...ticked.map((id) => ({ id, title: titleOf(id) })), ...others]
  return (
    <fieldset aria-describedby={wrong.length === 0 ? `${name}-hint` : `${name}-hint ${name}-problem`}>
      <legend>{texts.label}</legend>
      <p class="hint" id={`${name}-hint`}>
        {texts.tickHint}
      </p>
      <div class="ticks">
        {all.map(({ id, title }, index) => (
          <div key={id} class="choice">
            <input
              type="checkbox"
              id={`${name}-${index}`}
              name={name}
              value={id}
              checked={ticked.includes(id)}
              autofocus={wrong.length > 0 && focuses && index === 0}
            />
            <label for={`${name}-${index}`}>
              <bdi>{title}</bdi>
            </label>
          </div>
        ))}
      </div>
      {wrong.length > 0 && (
        <p class="problem" id={`${name}-problem`}>
          {wrong.map(({ message }) => message).join(" ")}
        </p>
      )}
    </fieldset>
  )
}
