import { verifyWebhook } from "designwire/receiver"

const result = await verifyWebhook({ secret: "whsec_1", headers: {}, body: "{}" })
if (result.ok || result.reason !== "missing_header") throw new Error("A delivery without headers is accepted")
