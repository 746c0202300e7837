import { Icon } from "./Icon.tsx"

/** Shown instead of what a store on the free plan can't do with webhooks (D8). */
export const PlanNotice = () => (
  <p class="notice bad">
    <Icon name="warning" />
    <span>
      Webhooks are part of the Pro and Plus plans. This store is on the free plan: nothing is sent, and endpoints can't
      be added.
    </span>
  </p>
)
