/** Sending a signed delivery in the other contenders: minimal code with the same result as Designwire. */
import { createHmac } from "node:crypto"
import { Pool } from "undici"

/** The payload of a job. */
export interface Job {
  readonly id: string
  readonly url: string
  readonly secret: string
  readonly event: string
  readonly body: string
}

const open = (origin: string, connections: number): Pool =>
  new Pool(origin, { connections, headersTimeout: 5_000, bodyTimeout: 5_000 })

const requestOf = (job: Job) => {
  const timestamp = String(Math.floor(Date.now() / 1_000))
  return {
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
  } as const
}

const checkStatus = (job: Job, statusCode: number) => {
  if (statusCode < 200 || statusCode > 299) throw new Error(`${job.url} answered ${statusCode}`)
}

/** Sends a job over one of a number of connections with undici's `request`; throws unless the response is 2xx. */
export const sender = (origin: string, connections: number) => {
  const pool = open(origin, connections)
  return async (job: Job): Promise<void> => {
    const { body, statusCode } = await pool.request(requestOf(job))
    await body.text()
    checkStatus(job, statusCode)
  }
}

/** Sends a job with undici's lowest-level call, `dispatch`, and calls `done` afterwards. */
export const dispatcher = (origin: string, connections: number) => {
  const pool = open(origin, connections)
  return (job: Job, done: () => void): void => {
    pool.dispatch(requestOf(job), {
      onRequestStart: () => undefined,
      onResponseStart: (_, statusCode) => checkStatus(job, statusCode),
      onResponseData: () => undefined,
      onResponseEnd: () => done(),
      onResponseError: (_, error) => {
        throw error
      },
    })
  }
}
