/**
 * A rotation while deliveries continue: the check stands between designwire and the receiver, and sees every answer.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { freePort } from "../../../testkit/processes/FreePort.ts"
import type { Check } from "../Attempt.ts"
import { expect } from "../Program.ts"
import { isSigned, signed } from "../Receiver.ts"
import { eventually } from "../Service.ts"

/** Milliseconds between two orders. */
const beat = 40

export const check: Check = async (attempt) => {
  for (const file of ["receiver.mts", "rotate.mts", "forget.mts"]) attempt.requireFile(file)
  const [service, between, port] = await Promise.all([attempt.service(), attempt.receiver(), freePort()])
  await service.furnish()
  const { id, secret } = await service.manage("POST", "/webhooks", { url: between.url })
  writeFileSync(join(attempt.directory, "secrets.json"), JSON.stringify({ secret }))
  const program = attempt.start("exec node receiver.mts", { PORT: `${port}` })
  await program.listensAt(port)

  const send = async (headers: Record<string, string>, body: string | Buffer): Promise<number> =>
    fetch(`http://127.0.0.1:${port}/webhooks`, {
      method: "POST",
      headers,
      body: new Uint8Array(Buffer.from(body)),
    }).then(
      (response) => response.status,
      () => 0,
    )
  const refused: Array<number> = []
  between.answer = async ({ body, headers }) => {
    const names = ["content-type", "x-service-timestamp", "x-service-signature"]
    const status = await send(Object.fromEntries(names.map((name) => [name, String(headers[name])])), body)
    if (status < 200 || status > 299) refused.push(status)
    return { status: status === 0 ? 502 : status }
  }
  const expectNone = (when: string) => {
    const answer = refused[0] === 0 ? "was not answered at all" : `was answered with ${refused[0]}`
    expect(refused.length === 0, `${when} a delivery ${answer}`)
  }

  const ordering = { goesOn: true }
  const orders = (async () => {
    for (let order = 1; ordering.goesOn; order++) {
      await service.order(`${order}`)
      await pause(beat)
    }
  })()
  try {
    /** Waits until some more deliveries have come. */
    const goOn = async (): Promise<void> => {
      const count = between.received.length + 10
      expect(await eventually(() => between.received.length >= count), "Deliveries do not continue")
    }
    await goOn()
    expectNone("Before the rotation")

    const variables = { MANAGE_URL: `${service.url}/manage/v1/shops/${service.shop}`, MANAGE_KEY: service.key }
    await attempt.run("node rotate.mts", { ...variables, ENDPOINT: id })
    await goOn()
    expectNone("During the rotation")
    const last = between.received.slice(-5)
    const isNew = last.every((received) => !isSigned(received, secret))
    expect(isNew, "After `node rotate.mts` deliveries are still signed with the old secret")

    await attempt.run("node forget.mts", variables)
    await goOn()
    expectNone("After `node forget.mts`")
    const body = String(between.received.at(-1)?.body)
    const status = await send(signed(secret, body), body)
    expect(status === 401, `After \`node forget.mts\` a delivery signed with the old secret is answered with ${status}`)
  } finally {
    ordering.goesOn = false
    await orders
  }
}
