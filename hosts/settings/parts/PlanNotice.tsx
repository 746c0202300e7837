import { useTexts } from "./CurrentLanguage.ts"
import { Icon } from "./Icon.tsx"

/** Shown instead of what a store on the free plan can't do with webhooks (D8). */
export const PlanNotice = () => (
  <p class="notice bad">
    <Icon name="warning" />
    <span>{useTexts().plans.webhooks}</span>
  </p>
)
