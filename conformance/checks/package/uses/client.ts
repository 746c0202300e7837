import { createClient } from "designwire/client"

const page = { data: [], pagination: { total: 0, limit: 50, nextCursor: null } }
const headers = { "content-type": "application/json", "api-version": "2026-10" }
const fetch = async () => Response.json(page, { headers })
const client = createClient({ url: "https://designs.example/api/v1", token: "cmz_1", fetch })
for await (const order of client.orders.list()) throw new Error(`There is the order ${order.id}`)
