import type { Flash } from "../Flash.ts"
import { Copyable } from "./Copyable.tsx"
import { Icon } from "./Icon.tsx"

/** A message about the form that the person has just sent. */
export const FlashBox = ({ flash: { secret, text, tone } }: { readonly flash: Flash }) => (
  <div class={`notice ${tone}`} role={tone === "bad" ? "alert" : "status"}>
    <Icon name={tone === "bad" ? "warning" : "check"} />
    <div class="notice-body">
      <p>{text}</p>
      {secret !== undefined && (
        <>
          <Copyable label={secret.label} text={secret.value} />
          <p class="hint">It is shown only once. Store it now, together with your other secrets.</p>
          <p>
            <a class="button" href="?">
              I have stored it
            </a>
          </p>
        </>
      )}
    </div>
  </div>
)
