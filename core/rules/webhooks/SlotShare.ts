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

/** The most attempts that have left their slots: several for each, as one that waits for an answer costs little. */
export const leftShare = (slots: number): number => 8 * slots

/** Milliseconds between two times at which attempts leave their slots, at least. */
const leastPause = 50

/**
 * How many attempts leave their slots at once, and the milliseconds until more do: as many as end before there are more
 * than {@link leftShare}, if each lasts `longest` milliseconds. So the next newcomer waits a pause at most, however
 * many newcomers hang (D45).
 */
export const leaving = (slots: number, longest: number): { readonly atOnce: number; readonly pause: number } => {
  const pause = Math.max(leastPause, Math.ceil(longest / leftShare(slots)))
  return { atOnce: Math.floor((leftShare(slots) * pause) / longest), pause }
}

/** Slots of an endpoint on probation: it gets one delivery at a time (D45). */
export const probationSlots = 1
