/** Milliseconds since 1970 with fractions, from the same clock in every process of the machine. */
export const instant = (): number => performance.timeOrigin + performance.now()

/** Waits for this many milliseconds. */
export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))
