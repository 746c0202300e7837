/**
 * Half of a worker's slots, at least one: the most that one shop may use, and the most that all endpoints on probation
 * may use together. The rest stays free for others (D45).
 */
export const slotShare = (slots: number): number => Math.ceil(slots / 2)

/**
 * The part of the share of endpoints on probation that those in trouble leave free for newcomers: an eighth of the
 * slots, at least 4, but never more than half of the share (D45).
 */
export const newcomerShare = (slots: number): number =>
  Math.min(Math.max(4, Math.ceil(slots / 8)), Math.floor(slotShare(slots) / 2))

/** Slots of an endpoint on probation: it gets one delivery at a time (D45). */
export const probationSlots = 1
