import type { EndpointOptions } from "../../../../core/model/deliveries/EndpointOptions.ts"
import type { Problems } from "../../Problems.ts"
import { useTexts } from "../CurrentLanguage.ts"
import { Field } from "../Field.tsx"

/** The pace in an endpoint's form (D54). */
export type PaceInput = Pick<EndpointOptions, "maxPerSecond" | "maxConcurrent">

/** A number in a field; `null` if it is empty. Other texts stay as they are, and are refused. */
const readLimit = (text: string) => {
  const trimmed = text.trim()
  return trimmed === "" ? null : ((/^\d+$/.test(trimmed) ? Number(trimmed) : trimmed) as number)
}

/** The pace in a form that was sent. */
export const readPace = (text: (name: string) => string): PaceInput => ({
  maxPerSecond: readLimit(text("maxPerSecond")),
  maxConcurrent: readLimit(text("maxConcurrent")),
})

/** The fields of an endpoint's pace. `isFirst` says whether nothing above a field has a problem. */
export const PaceFields = ({
  isFirst,
  pace,
  problems,
}: {
  readonly pace: PaceInput
  readonly problems: Problems
  readonly isFirst: (...above: ReadonlyArray<string>) => boolean
}) => {
  const { paceFields: texts } = useTexts().endpointFields
  return (
    <>
      {(["maxPerSecond", "maxConcurrent"] as const).map((name, index) => (
        <Field
          key={name}
          name={name}
          label={texts[name]}
          hint={texts[`${name}Hint`]}
          focuses={isFirst(...(index === 0 ? [] : ["maxPerSecond"]))}
          problems={problems}
          control={(attributes) => (
            <input type="text" inputMode="numeric" value={pace[name] ?? ""} autocomplete="off" {...attributes} />
          )}
        />
      ))}
    </>
  )
}
