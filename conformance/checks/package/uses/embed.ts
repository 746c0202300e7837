import { createDesignwire } from "designwire/embed"

const designwire = await createDesignwire({
  database: { memory: true },
  encryptionKeys: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
})
const shop = { domain: "acme.example", currency: "EUR", imageBase: "https://images.acme.example" }
const { currency } = await designwire.shops.put("acme", shop)
if (currency !== "EUR") throw new Error(`The shop's currency is ${currency}`)
const { status } = await designwire.handler(new Request("http://localhost/api/v1/orders"))
if (status !== 401) throw new Error(`A request without a token is answered ${status}`)
await designwire.stop()
