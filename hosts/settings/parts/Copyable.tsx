/** A short text within a line, such as an id. If scripts run, a button copies it. */
export const CopyableText = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <span class="copyable-text" data-copyable>
    <code>{text}</code>
    <button class="button quiet small" type="button" data-copy hidden aria-label={`Copy ${label}`}>
      Copy
    </button>
  </span>
)

/** A block of text. If scripts run, a button copies it. */
export const Copyable = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <div class="copyable" data-copyable>
    <pre>
      <code>{text}</code>
    </pre>
    <button class="button small" type="button" data-copy hidden aria-label={`Copy ${label}`}>
      Copy
    </button>
  </div>
)
