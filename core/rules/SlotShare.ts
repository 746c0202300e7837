/**
 * Half of a worker's slots, at least one: so many may be taken by one shop, and so many by all endpoints together that are not proven. The rest is
 * kept for others (D45).
 */
export const slotShare = (slots: number): number => Math.ceil(slots / 2)

/** How many slots an endpoint has that is not proven: it is tried with one delivery after the other (D45). */
export const unprovenSlots = 1
