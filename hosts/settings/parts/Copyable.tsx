import { useTexts } from "./CurrentLanguage.ts"

/** A short text within a line, such as an id. If scripts run, a button copies it. */
export const CopyableText = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <span class="copyable-text" data-copyable>
    <code>{text}</code>
    <CopyButton label={label} class="button quiet small" />
  </span>
)

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
