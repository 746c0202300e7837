import type { ComponentChildren } from "preact"
import type { Problems } from "../Problems.ts"

/** A control with its label, its hint and its problems. The control gets attributes that refer to them. */
export const Field = ({
  control,
  focuses = true,
  hint,
  label,
  name,
  problems = [],
}: {
  readonly name: string
  readonly label: string
  readonly hint?: ComponentChildren
  readonly problems?: Problems | undefined
  /** Whether a control with problems gets the focus when the page opens. One of a form may. */
  readonly focuses?: boolean
  readonly control: (attributes: { readonly [name: string]: string | undefined }) => ComponentChildren
}) => {
  const wrong = problems.filter(
    ({ path }) => path === name || path.startsWith(`${name}[`) || path.startsWith(`${name}.`),
  )
  const described = [hint === undefined ? [] : `${name}-hint`, wrong.length === 0 ? [] : `${name}-problem`].flat()
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {hint !== undefined && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {control({
        id: name,
        name,
        "aria-describedby": described.length === 0 ? undefined : described.join(" "),
        "aria-invalid": wrong.length === 0 ? undefined : "true",
        autofocus: wrong.length === 0 || !focuses ? undefined : "",
      })}
      {wrong.length > 0 && (
        <p class="problem" id={`${name}-problem`}>
          {wrong.map(({ message }) => message).join(" ")}
        </p>
      )}
    </div>
  )
}
