import type { Flash } from "../Flash.ts"
import type { VisitProps } from "../Visit.ts"
import { LinkButton } from "./Buttons.tsx"
import { Copyable } from "./Copyable.tsx"
import { hereWith, useTexts } from "./CurrentLanguage.ts"
import { Icon } from "./Icon.tsx"

/** A message about the form that the person has just sent. */
export const FlashBox = ({ flash: { secret, text, tone }, visit }: VisitProps & { readonly flash: Flash }) => {
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
              <LinkButton href={hereWith(visit)} text={parts.stored} />
            </p>
          </>
        )}
      </div>
    </div>
  )
}

/** Says why nothing can be added: there are as many as there may be. */
export const FullNotice = ({ text }: { readonly text: string }) => (
  <p class="notice">
    <Icon name="warning" />
    <span>{text}</span>
  </p>
)

/** Shown instead of what a store on the free plan can't do with webhooks (D8). */
export const PlanNotice = () => (
  <p class="notice bad">
    <Icon name="warning" />
    <span>{useTexts().plans.webhooks}</span>
  </p>
)
