import type { ComponentChildren } from "preact"

/** The words for the state of an endpoint. */
export const badges = {
  free: "Nothing is sent on the free plan",
  switchedOff: (when: ComponentChildren): ComponentChildren => ["Switched off ", when],
  paused: (when: ComponentChildren): ComponentChildren => ["Paused ", when],
  active: "Active",
  failing: (failures: number, maximum: number) => `Failing, ${failures} of ${maximum}`,
}
