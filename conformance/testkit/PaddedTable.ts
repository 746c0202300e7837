/** A table in Markdown whose columns are as wide as their longest cell. The first row is the heading. */
export const paddedTable = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const [heading = [], ...others] = rows
  const widths = heading.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lineOf = (row: ReadonlyArray<string>) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`
  return [heading, widths.map((width) => "-".repeat(width)), ...others].map(lineOf).join("\n")
}
