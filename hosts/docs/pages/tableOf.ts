const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ").trim()

const line = (cells: ReadonlyArray<string>): string => `| ${cells.map(cell).join(" | ")} |`

/** A table as Markdown, without the columns in which no row has anything. */
export const tableOf = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const used = (cells: ReadonlyArray<string>) => cells.filter((_, at) => rows.some((row) => row[at] !== ""))
  return [line(used(head)), line(used(head).map(() => "---")), ...rows.map((row) => line(used(row)))].join("\n")
}
