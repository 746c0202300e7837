/** What to export of a shop (D75). */
export interface ExportInput {
  /** Orders with their designs, or single designs, drafts included. */
  readonly kind?: string | undefined
  /**
   * Only orders placed, or designs created, at this time or later: RFC 3339 with an offset or `Z`, or a date, which
   * stands for 00:00 UTC.
   */
  readonly since?: string | undefined
  /** `jsonl`: the objects of the REST API, one on each line. `csv`: a line for each design. Default: `jsonl`. */
  readonly format?: string | undefined
}

export const exportKinds = ["orders", "designs"] as const
export const exportFormats = ["jsonl", "csv"] as const
