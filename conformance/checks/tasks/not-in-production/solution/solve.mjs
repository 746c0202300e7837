/** Asks a copy of the shop, without a worker, for each order and for the events of the platform. */
import { cpSync, readFileSync, writeFileSync } from "node:fs"
import { createDesignwire } from "designwire/embed"

cpSync(".designwire", "copy", { recursive: true, filter: (path) => !path.endsWith("socket") })
const designwire = await createDesignwire({
  database: { directory: "copy" },
  encryptionKeys: readFileSync("copy/encryption-key", "utf8").trim(),
})
const { data: events } = await designwire.inbox.list("acme")
const answer = {}
for (const id of ["501", "502", "503"]) {
  const { designId, state } = events.find(({ orderId }) => orderId === id)
  if (state === "waiting") answer[`#${id}`] = { why: "no_design", detail: designId }
  else if (state === "applied") {
    const { designs } = await designwire.orders.get("acme", id)
    answer[`#${id}`] = { why: "not_wanted", detail: designs[0].customizer.id }
  } else answer[`#${id}`] = { why: state, detail: null }
}
writeFileSync("answer.json", JSON.stringify(answer))
await designwire.stop()
