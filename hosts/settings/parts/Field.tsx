import type { ComponentChildren } from "preact"

/** What is wrong with a field of a form. */
export type Problems = ReadonlyArray<{ readonly path: string; readonly message: string }>

/** A label, a control and what is wrong with it. The control is told the ids of what describes it. */
export const Field = ({
  control,
  hint,
  label,
  name,
  problems = [],
}: {
  readonly name: string
  readonly label: string
  readonly hint?: ComponentChildren
  readonly problems?: Problems | undefined
  readonly control: (attributes: { readonly [name: string]: string | undefined }) => ComponentChildren
}) => {
  const wrong = problems.filter(({ path }) => path === name || path.startsWith(`${name}[`))
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
      })}
      {wrong.length > 0 && (
        <p class="problem" id={`${name}-problem`}>
          {wrong.map(({ message }) => message).join(" ")}
        </p>
      )}
    </div>
  )
}
