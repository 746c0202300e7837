import type { ComponentChildren } from "preact"
import { useTexts } from "./CurrentLanguage.ts"

/** A short text within a line, such as an id. If scripts run, a button copies it. */
export const CopyableText = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <span class="copyable-text" data-copyable>
    <code>{text}</code>
    <CopyButton label={label} class="button quiet small" />
  </span>
)

/** A name whose id a button copies if scripts run. */
export const CopyableId = ({ children, id, label }: CopyableIdProps) => (
  <span class="copyable-text" data-copyable>
    {children}
    <code hidden>{id}</code>
    <CopyButton label={label} class="button small" />
  </span>
)

interface CopyableIdProps {
  readonly children: ComponentChildren
  readonly id: string
  readonly label: string
}

/** A block of text. If scripts run, a button copies it. */
export const Copyable = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <div class="copyable" data-copyable>
    <pre>
      <code>{text}</code>
    </pre>
    <CopyButton label={label} class="button small" />
  </div>
)

const CopyButton = ({ class: className, label }: { readonly label: string; readonly class: string }) => {
  const { parts } = useTexts()
  return (
    <button class={className} type="button" data-copy={parts.copied} hidden aria-label={parts.copyLabel(label)}>
      {parts.copy}
    </button>
  )
}
