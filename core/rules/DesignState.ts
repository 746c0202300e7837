import type { DesignStatus } from "../model/Design.ts"

/** What can happen to a design. */
export type DesignTrigger = "save" | "order" | "cancel"

/** The rows of §3 for designs; what is not in it can't happen. `null` is a design that does not exist yet. */
export const transitions: ReadonlyArray<{
  readonly from: DesignStatus | null
  readonly trigger: DesignTrigger
  readonly to: DesignStatus
}> = [
  { from: null, trigger: "save", to: "draft" },
  { from: "draft", trigger: "save", to: "draft" },
  { from: "draft", trigger: "order", to: "ordered" },
  { from: "ordered", trigger: "cancel", to: "cancelled" },
]

/** The status that a design has after a trigger, or `undefined` where the table has no row. */
export const next = (from: DesignStatus | null, trigger: DesignTrigger): DesignStatus | undefined =>
  transitions.find((row) => row.from === from && row.trigger === trigger)?.to
