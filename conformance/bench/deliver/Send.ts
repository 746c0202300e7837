/** How the others send a signed delivery: the least code that does the same as Designwire. */
import { createHmac } from "node:crypto"
import { Pool } from "undici"

/** What a job carries. */
export interface Job {
  readonly id: string
  readonly url: string
  readonly secret: string
  readonly event: string
  readonly body: string
}

/** Sends a job over one of so many connections; throws unless the answer is 2xx. */
export const sender = (origin: string, connections: number) => {
  const pool = new Pool(origin, { connections, headersTimeout: 5_000, bodyTimeout: 5_000 })
  return async (job: Job): Promise<void> => {
    const timestamp = String(Math.floor(Date.now() / 1_000))
    const { body, statusCode } = await pool.request({
      method: "POST",
      path: new URL(job.url).pathname,
      headers: {
        "content-type": "application/json",
        "user-agent": "Bench-Webhooks/1.0",
        "x-service-event": job.event,
        "x-service-delivery": job.id,
        "x-service-timestamp": timestamp,
        "x-service-signature": createHmac("sha256", job.secret).update(`${timestamp}.${job.body}`).digest("hex"),
      },
      body: job.body,
    })
    await body.text()
    if (statusCode < 200 || statusCode > 299) throw new Error(`${job.url} answered ${statusCode}`)
  }
}
