/** A client that asks for a page of orders many times at once, as often as its parent says. */
import { Agent, request } from "node:http"
import { listen, setting, tell } from "../support/Child.ts"

const agent = new Agent({ maxSockets: 120 })
const port = Number(setting("SERVER_PORT"))
const headers = { authorization: `Bearer ${setting("TOKEN")}` }

/** The status of an answer, once all of it is read, and its bytes. */
const ask = (path: string): Promise<{ readonly status: number; readonly bytes: number }> =>
  new Promise((resolve, reject) => {
    request({ agent, host: "127.0.0.1", port, path, headers }, (response) => {
      let bytes = 0
      response.on("data", (part: Buffer) => {
        bytes += part.length
      })
      response.on("error", reject)
      response.on("end", () => resolve({ status: response.statusCode ?? 0, bytes }))
    })
      .on("error", reject)
      .end()
  })

listen(async ({ path, times }: { readonly path: string; readonly times: number }) => {
  const answers = await Promise.all(Array.from({ length: times }, () => ask(path)))
  tell({
    pages: answers.filter(({ status }) => status === 200).length,
    refused: answers.filter(({ status }) => status === 503).length,
    bytes: Math.max(...answers.map(({ bytes }) => bytes)),
  })
})
tell("ready")
