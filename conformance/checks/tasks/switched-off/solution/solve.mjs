/** Starts the service on the store, and writes what it knows of the endpoint that is off. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import process from "node:process"

const service = spawn("node_modules/.bin/designwire", ["serve"], { env: { ...process.env, PORT: process.env.PORT } })
for await (const text of service.stdout.setEncoding("utf8")) if (text.includes("ready at")) break

const read = async (path) => {
  const key = readFileSync(".designwire/manage-key", "utf8").trim()
  const url = `http://127.0.0.1:${process.env.PORT}/manage/v1/shops/acme/webhooks${path}`
  return (await (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).json()).data
}

const { consecutiveFailures, id, switchedOffAt, url } = (await read("")).find(({ status }) => status === "switched_off")
const attempts = (await read(`/${id}/deliveries`)).flatMap((delivery) => delivery.attempts)
const { responseStart, statusCode } = attempts.toSorted((one, other) => one.at.localeCompare(other.at)).at(-1)
const { error: code } = JSON.parse(responseStart)
const answer = { endpoint: id, url, switchedOffAt, statusCode, code, failures: consecutiveFailures }
writeFileSync("answer.json", JSON.stringify(answer))
service.kill()
await once(service, "exit")
