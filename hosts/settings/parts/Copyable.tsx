/** A short text within others, such as an id, with a button that copies it where scripts run. */
export const CopyableText = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <span class="copyable-text" data-copyable>
    <code>{text}</code>
    <button class="button quiet small" type="button" data-copy hidden aria-label={`Copy ${label}`}>
      Copy
    </button>
  </span>
)

/** A text to take elsewhere, with a button that copies it where scripts run. */
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
