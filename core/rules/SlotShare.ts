/**
 * Half of a worker's slots, at least one: the most that one shop may use, and the most that all endpoints on probation
 * may use together. The rest stays free for others (D45).
 */
export const slotShare = (slots: number): number => Math.ceil(slots / 2)

/** Slots of an endpoint on probation: it gets one delivery at a time (D45). */
export const probationSlots = 1
