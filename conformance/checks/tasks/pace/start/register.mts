/** Registers the production software as an endpoint of the store. */
import process from "node:process"

const { MANAGE_KEY = "", MANAGE_URL = "", RECEIVER_URL = "" } = process.env

const response = await fetch(`${MANAGE_URL}/webhooks`, {
  method: "POST",
  headers: { authorization: `Bearer ${MANAGE_KEY}`, "content-type": "application/json" },
  body: JSON.stringify({ url: RECEIVER_URL, description: "wms" }),
})
if (!response.ok) throw new Error(await response.text())
const { id, secret } = await response.json()
console.log(JSON.stringify({ id, secret }))
