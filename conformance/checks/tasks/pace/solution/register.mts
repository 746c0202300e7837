/** Registers the production software as an endpoint of the shop, at a pace that it can keep. */
import process from "node:process"

const { MANAGE_KEY = "", MANAGE_URL = "", RECEIVER_URL = "" } = process.env

const call = async (method: string, path: string, body?: unknown) => {
  const response = await fetch(`${MANAGE_URL}/webhooks${path}`, {
    method,
    headers: { authorization: `Bearer ${MANAGE_KEY}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(await response.text())
  return response.json()
}

const pace = { maxPerSecond: 5, maxConcurrent: 1 }
const { data } = await call("GET", "")
const known = data.find((endpoint: { url: string }) => endpoint.url === RECEIVER_URL)
if (known === undefined) {
  const { id, secret } = await call("POST", "", { url: RECEIVER_URL, description: "wms", ...pace })
  console.log(JSON.stringify({ id, secret }))
} else {
  await call("PATCH", `/${known.id}`, pace)
  console.log(JSON.stringify({ id: known.id }))
}
