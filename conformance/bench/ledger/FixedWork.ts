import { createHash } from "node:crypto"
import { processorTime } from "../support/Child.ts"

const text = JSON.stringify(Array.from({ length: 40 }, (_, index) => ({ key: `Key ${index}`, value: "x".repeat(20) })))

/**
 * Milliseconds of processor time of the same work on every machine: texts that are parsed, written and hashed. So
 * figures of machines can be compared.
 */
export const fixedWork = (): number => {
  const before = processorTime()
  let length = 0
  for (let count = 0; count < 1_000; count++) {
    const written = JSON.stringify(JSON.parse(text))
    length += createHash("sha256").update(written).digest("hex").length
  }
  if (length !== 64_000) throw new Error("The work was not done")
  return processorTime() - before
}
