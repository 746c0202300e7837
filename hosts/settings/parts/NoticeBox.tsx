import type { Notice } from "../Session.ts"
import { Copyable } from "./Copyable.tsx"
import { Icon } from "./Icon.tsx"

/** What became of the last form. */
export const NoticeBox = ({ notice: { secret, text, tone } }: { readonly notice: Notice }) => (
  <div class={`notice ${tone}`} role={tone === "bad" ? "alert" : "status"}>
    <Icon name={tone === "bad" ? "warning" : "check"} />
    <div class="notice-body">
      <p>{text}</p>
      {secret !== undefined && (
        <>
          <Copyable label={secret.label} text={secret.value} />
          <p class="hint">
            It is shown this once and can't be shown again: store it now, where your other secrets are.
          </p>
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
