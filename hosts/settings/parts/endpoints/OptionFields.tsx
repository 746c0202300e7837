import type { ComponentChildren } from "preact"
import type { Problems } from "../../Problems.ts"
import type { OptionTexts } from "../../texts/english/EndpointOptions.ts"
import { useTexts } from "../CurrentLanguage.ts"
import type { CustomizerChoice } from "../catalog/CustomizerField.tsx"
import { Field } from "../Field.tsx"
import { CustomizersField } from "./CustomizersField.tsx"
import { OAuthFields } from "./OAuthFields.tsx"
import {
  controls,
  isUsual,
  type OptionName,
  type OptionValues,
  optionsIn,
  partOf,
  removeName,
  type Section,
  sections,
} from "./OptionControls.ts"

/** A text whose parts in backticks are code. */
const Coded = ({ text }: { readonly text: string }) =>
  text.split("`").map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part))

/** A checkbox with its label and a hint. */
const Choice = ({
  checked,
  children,
  label,
  name,
}: {
  readonly name: string
  readonly label: string
  readonly checked: boolean
  readonly children: ComponentChildren
}) => (
  <div class="choice">
    <input type="checkbox" id={name} name={name} value="yes" checked={checked} aria-describedby={`${name}-hint`} />
    <label for={name}>{label}</label>
    <p class="hint" id={`${name}-hint`}>
      {children}
    </p>
  </div>
)

interface Props {
  readonly values: OptionValues
  /** The customizers to tick, by their titles; none if they are too many. */
  readonly customizers: ReadonlyArray<CustomizerChoice>
  readonly problems: Problems
  /** Whether no field above has a problem: fields of the form, or what their names begin with. */
  readonly isFirst: (...above: ReadonlyArray<string>) => boolean
}

const isBox = (name: OptionName): boolean => controls[name].kind === "box"

/** The beginning of the names of the fields of an option. */
const fieldOf = (name: OptionName): string => (controls[name].kind === "client" ? `${name}.` : name)

/** The fields of a section that may have a problem. */
const fieldsIn = (section: Section) =>
  optionsIn(section)
    .filter((name) => !isBox(name))
    .map(fieldOf)

/** The fields of all options that may have a problem. */
export const optionFields: ReadonlyArray<string> = sections.flatMap(fieldsIn)

/** The fields of an endpoint's options, behind titles of sections, which are open if one is in use or has a problem. */
export const OptionFields = ({
  customizers,
  isFirst,
  isTicked,
  problems,
  values,
}: Props & {
  /** Whether customizers are ticked above. */
  readonly isTicked: boolean
}) => {
  const { endpointFields: texts } = useTexts()
  return (
    <>
      {sections.map((section) => {
        const names = optionsIn(section).filter((name) => !(isTicked && name === "customizers"))
        const boxes = names.filter(isBox)
        const isWrong = problems.some(({ path }) => fieldsIn(section).some((field) => path.startsWith(field)))
        return (
          <details key={section} class="card" open={isWrong || names.some((name) => !isUsual(name, values))}>
            <summary>{texts[section]}</summary>
            <div class="pad stack">
              {names.map((name) => {
                if (name === boxes[0]) return <Boxes key={name} names={boxes} values={values} />
                if (isBox(name)) return null
                const above = optionFields.slice(0, optionFields.indexOf(fieldOf(name)))
                const inOption = (...others: ReadonlyArray<string>) => isFirst(...above, ...others)
                return <OptionField key={name} {...{ name, customizers, values, problems }} isFirst={inOption} />
              })}
            </div>
          </details>
        )
      })}
    </>
  )
}

const Boxes = ({ names, values }: Pick<Props, "values"> & { readonly names: ReadonlyArray<OptionName> }) => {
  const { endpointFields, endpointOptions: texts } = useTexts()
  return (
    <fieldset>
      <legend>{endpointFields.deliveries}</legend>
      {names.map((name) => (
        <Choice key={name} name={name} label={texts[name].label} checked={!isUsual(name, values)}>
          <Coded text={texts[name].hint} />
        </Choice>
      ))}
    </fieldset>
  )
}

const OptionField = ({ customizers, isFirst, name, problems, values }: Props & { readonly name: OptionName }) => {
  const texts: OptionTexts = useTexts().endpointOptions[name]
  const control = controls[name]
  if (control.kind === "client") return <OAuthFields client={values.oauth} isFirst={isFirst} problems={problems} />
  const field = { name, label: texts.label, hint: texts.hint, focuses: isFirst(), problems }
  if (name === "customizers" && customizers.length > 0) {
    const ticked = values.customizers ?? []
    return <CustomizersField choices={customizers} ticked={ticked} focuses={isFirst()} problems={problems} />
  }
  if (control.kind !== "secret") {
    const text = [values[name] ?? []].flat().join(", ")
    return (
      <Field
        {...field}
        control={(attributes) => (
          <input type="text" inputMode="numeric" value={text} autocomplete="off" {...attributes} />
        )}
      />
    )
  }
  const kept = partOf(name, values)
  return (
    <>
      <Field
        {...field}
        control={(attributes) => (
          <textarea rows={2} autocomplete="off" spellcheck={false} placeholder={control.placeholder} {...attributes} />
        )}
      />
      {kept !== null && (
        <Choice name={removeName(name)} label={texts.remove ?? ""} checked={false}>
          {useTexts().endpointFields.keptHeaders} <code>{kept}</code>
        </Choice>
      )}
    </>
  )
}
