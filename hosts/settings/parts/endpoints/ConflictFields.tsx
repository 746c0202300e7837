import type { Conflict, SecretPart } from "../../forms/MeanwhileChanged.ts"
import type { VisitProps } from "../../Visit.ts"
import { ChangeActor, fieldName, shownValue } from "../ChangedFields.tsx"
import { Time } from "../Time.tsx"

const isParts = (value: Conflict["theirs"]): value is ReadonlyArray<SecretPart> =>
  Array.isArray(value) && value.every((part) => typeof part === "object")

/** A value, or what differs in the parts of a field with secrets. */
const ConflictValue = ({
  name,
  value,
  visit,
}: VisitProps & { readonly name: string; readonly value: Conflict["theirs"] }) => {
  const { audit, endpointActions } = visit.texts
  if (!isParts(value)) return <bdi>{shownValue(name, value, visit)}</bdi>
  if (value.length === 0) return <>{audit.none}</>
  return value.map(({ how, name: part }, index) => (
    <>
      {index > 0 && ", "}
      <bdi>{part}</bdi>
      {how !== null && `: ${endpointActions.meanwhile.parts[how]}`}
    </>
  ))
}

/** The fields of an endpoint that somebody else has changed meanwhile: both values of each, and the choice. */
export const ConflictFields = ({ conflicts, visit }: VisitProps & { readonly conflicts: ReadonlyArray<Conflict> }) => {
  const texts = visit.texts.endpointActions.meanwhile
  return (
    <section class="stack" aria-labelledby="meanwhile">
      <div class="notice bad" role="alert" tabIndex={-1} autofocus>
        <span />
        <div class="notice-body">
          <p id="meanwhile">
            <strong>{texts.title}</strong>
          </p>
          <p>{texts.lead}</p>
        </div>
      </div>
      <input type="hidden" name="asked" value={conflicts.map(({ name }) => name).join()} />
      {conflicts.map(({ entry, mine, name, theirs }) => (
        <fieldset key={name}>
          <legend>{fieldName(name, visit.texts)}</legend>
          {entry !== undefined && (
            <p class="hint">
              {texts.by} <ChangeActor actor={entry.actor} texts={visit.texts} />
              {", "}
              <Time at={entry.at} now={visit.now} />
            </p>
          )}
          {(
            [
              ["theirs", theirs],
              ["mine", mine],
            ] as const
          ).map(([whose, value]) => (
            <div key={whose} class="choice">
              <input type="radio" id={`keep-${name}-${whose}`} name={`keep.${name}`} value={whose} required />
              <label for={`keep-${name}-${whose}`}>
                {texts[whose]} <ConflictValue name={name} value={value} visit={visit} />
              </label>
            </div>
          ))}
        </fieldset>
      ))}
    </section>
  )
}
