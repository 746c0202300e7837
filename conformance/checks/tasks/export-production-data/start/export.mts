/** Writes the production data of the store for the workshop. */
import { writeFileSync } from "node:fs"

writeFileSync("production.csv", "")
writeFileSync("orders.jsonl", "")
