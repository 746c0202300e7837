/** The files that the benchmark imports: customizers of the demo, and as many designs and orders as are asked for. */
import { once } from "node:events"
import { createWriteStream, writeFileSync } from "node:fs"
import { join } from "node:path"
import customizers from "../../../hosts/cli/demo/customizers.json" with { type: "json" }
import samples from "../../../hosts/cli/demo/designs.json" with { type: "json" }

const firstAt = Date.UTC(2025, 0, 1)

/** A time; each is some seconds after the one before. */
const at = (index: number): string => new Date(firstAt + index * 7_000).toISOString()

/** Writes the files into a directory: `designs` designs, and an order for every design. */
export const writeFiles = async (directory: string, designs: number) => {
  const files = {
    customizers: join(directory, "customizers.jsonl"),
    designs: join(directory, "designs.jsonl"),
    orders: join(directory, "orders.jsonl"),
  }
  writeFileSync(files.customizers, customizers.map((each) => `${JSON.stringify(each)}\n`).join(""))
  await writeLines(files.designs, designs, (index) => {
    const { basePrice, customizerId, selection } = samples[index % samples.length] as (typeof samples)[number]
    return { id: `design-${index}`, customizerId, selection, basePrice, createdAt: at(index) }
  })
  await writeLines(files.orders, designs, (index) => ({
    id: String(5_000_000_000 + index),
    name: `#${1001 + index}`,
    orderedAt: at(index),
    lines: [{ designId: `design-${index}`, lineItemId: String(9_000_000_000 + index) }],
  }))
  return files
}

const writeLines = async (path: string, count: number, valueOf: (index: number) => object) => {
  const file = createWriteStream(path)
  for (let first = 0; first < count; first += 1000) {
    const lines = Array.from(
      { length: Math.min(1000, count - first) },
      (_, at) => `${JSON.stringify(valueOf(first + at))}\n`,
    )
    if (!file.write(lines.join(""))) await once(file, "drain")
  }
  file.end()
  await once(file, "close")
}
