import type { Flash } from "../Flash.ts"
import { Copyable } from "./Copyable.tsx"
import { useTexts } from "./CurrentLanguage.ts"
import { Icon } from "./Icon.tsx"

/** A message about the form that the person has just sent. */
export const FlashBox = ({ flash: { secret, text, tone } }: { readonly flash: Flash }) => {
  const { parts } = useTexts()
  return (
    // It has the focus: a live region that is there when the page loads is not announced.
    <div class={`notice ${tone}`} role={tone === "bad" ? "alert" : "status"} tabIndex={-1} autofocus>
      <Icon name={tone === "bad" ? "warning" : "check"} />
      <div class="notice-body">
        <p>{text}</p>
        {secret !== undefined && (
          <>
            <Copyable label={secret.label} text={secret.value} />
            <p class="hint">{parts.shownOnce}</p>
            <p>
              <a class="button" href="?">
                {parts.stored}
              </a>
            </p>
          </>
        )}
      </div>
    </div>
  )
}
