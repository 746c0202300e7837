/** Milliseconds since 1970 with fractions: the same clock in every process of the machine. */
export const instant = (): number => performance.timeOrigin + performance.now()
