/** The port `RateLimits` of designwire over a SQLite file. */
export const layer = (file: string) => {
  throw new Error(`To be written: ${file}`)
}
