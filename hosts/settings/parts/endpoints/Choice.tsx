import type { ComponentChildren } from "preact"

/** A checkbox with its label and a hint. */
export const Choice = ({
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
