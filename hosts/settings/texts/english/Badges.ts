import type { Inline } from "../Inline.ts"

/** The words for the state of an endpoint. */
export const badges = {
  free: "Nothing is sent on the free plan",
  switchedOff: (when: Inline): Inline => ["Switched off ", when],
  paused: (when: Inline): Inline => ["Paused ", when],
  active: "Active",
  failing: (failures: number, maximum: number) => `Failing, ${failures} of ${maximum}`,
}
