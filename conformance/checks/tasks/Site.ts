/** Orders of a WooCommerce site, as it sends them. */
import { createHmac } from "node:crypto"
import { wooCommerceOrder } from "../../../hosts/ingest/samples/WooCommerceOrder.ts"

/** An order of one design, last changed some days ago. */
export const orderOf = (id: number, designId: string, { daysAgo = 0, status = "processing" } = {}) => {
  const modifiedAt = new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 19)
  const lines = [{ id: 1, properties: { _designwire_id: designId } }]
  return wooCommerceOrder({ id, lines, status, modifiedAt, createdAt: modifiedAt })
}

/** Sends a new order to the address of a webhook, signed with its secret. */
export const sendOrder = (address: string, secret: string, order: ReturnType<typeof orderOf>, domain: string) => {
  const body = JSON.stringify(order)
  const signature = createHmac("sha256", secret).update(body).digest("base64")
  const headers = { "x-wc-webhook-topic": "order.created", "x-wc-webhook-source": `http://${domain}/` }
  const all = { ...headers, "content-type": "application/json", "x-wc-webhook-signature": signature }
  return fetch(address, { method: "POST", headers: all, body })
}
