import type { DesignStatus } from "../../model/catalog/Design.ts"

/** Triggers of a design. */
export type DesignTrigger = "save" | "order" | "cancel"

/** Transitions of §3 for designs; anything else is impossible. `null` is a design that does not exist yet. */
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

/** Returns the status after a trigger, or `undefined` if the table has no such transition. */
export const next = (from: DesignStatus | null, trigger: DesignTrigger): DesignStatus | undefined =>
  transitions.find((row) => row.from === from && row.trigger === trigger)?.to

/** Whether a design may be deleted: one that an order holds stays, and can be redacted (D43). */
export const canDelete = (status: DesignStatus): boolean => status === "draft"
