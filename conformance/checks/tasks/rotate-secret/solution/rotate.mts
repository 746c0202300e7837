/** Replaces the signing secret: the receiver knows the new one before it signs. */
import process from "node:process"
import { readSecrets, writeSecrets } from "./secrets.mts"

const { ENDPOINT, MANAGE_KEY, MANAGE_URL } = process.env

const post = async (action: string) => {
  const response = await fetch(`${MANAGE_URL}/webhooks/${ENDPOINT}/secret/${action}`, {
    method: "POST",
    headers: { authorization: `Bearer ${MANAGE_KEY}`, "content-type": "application/json" },
    body: "{}",
  })
  if (!response.ok) throw new Error(await response.text())
  return response.json()
}

const { secret } = await post("rotate")
writeSecrets([...readSecrets(), secret])
await post("promote")
