/** What to export of a shop, and how (D75). */
export const exportKinds = ["orders", "designs"] as const
export const exportFormats = ["jsonl", "csv"] as const
