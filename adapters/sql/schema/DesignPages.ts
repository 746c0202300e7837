/** Designs in the order in which they were made, for exports. */
export const designPages: ReadonlyArray<string> = [
  "CREATE INDEX IF NOT EXISTS designs_oldest ON designwire.designs (shop, created_at, id)",
]
