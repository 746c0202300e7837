/** Milliseconds since 1970 with fractions: the same clock in every process of the machine. */
export const instant = (): number => performance.timeOrigin + performance.now()

/** Waits for so many milliseconds. */
export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))
