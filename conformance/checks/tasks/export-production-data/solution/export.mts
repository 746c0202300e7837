/** Writes the production data of the store for the workshop. */
import { writeFileSync } from "node:fs"
import process from "node:process"

const { MANAGE_KEY, MANAGE_URL, SINCE = "" } = process.env

const read = async (format: string): Promise<string> => {
  const url = `${MANAGE_URL}/export?kind=orders&format=${format}&since=${encodeURIComponent(SINCE)}`
  const response = await fetch(url, { headers: { authorization: `Bearer ${MANAGE_KEY}` } })
  if (!response.ok) throw new Error(await response.text())
  return response.text()
}

writeFileSync("orders.jsonl", await read("jsonl"))

// A line is a design. Its second field is the status, and the fields before it have no quotes.
const [heading, ...lines] = (await read("csv")).split(/(?<=\r\n)/)
writeFileSync("production.csv", [heading, ...lines.filter((line) => line.split(",")[1] === "ordered")].join(""))
