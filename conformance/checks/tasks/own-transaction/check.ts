/** Checkouts that succeed, are declined, are refused by designwire, and fail at COMMIT. */
import { randomBytes } from "node:crypto"
import pg from "pg"
import { freePort } from "../../../testkit/processes/FreePort.ts"
import type { Check } from "../Attempt.ts"
import { expect } from "../Program.ts"
import { isSigned } from "../Receiver.ts"
import { eventually, type Json } from "../Service.ts"

/** The line of JSON that the shop prints at its first start. */
const credentialsIn = (printed: string): { readonly token: string; readonly secret: string } | undefined => {
  for (const line of printed.split("\n").filter((text) => text.startsWith("{"))) {
    try {
      const { secret, token } = JSON.parse(line)
      if (typeof secret === "string" && typeof token === "string") return { secret, token }
    } catch {
      // Another line.
    }
  }
  return undefined
}

/** Sales with this engraving are refused by the database, as late as it can. */
const unlucky = "unlucky"

const refuseAtCommit = async (url: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
'BEGIN IF NEW.engraving = ''${unlucky}'' THEN RAISE EXCEPTION ''No''; END IF; RETURN NULL; END';
CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON sales DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION refuse()`)
  await client.end()
}

const api = (base: string, token: string) => {
  const read = async (path: string, bearer = token) => {
    const response = await fetch(`${base}/designs/v1${path}`, { headers: { authorization: `Bearer ${bearer}` } })
    return { status: response.status, text: await response.text() }
  }
  return {
    read,
    orders: async (): Promise<ReadonlyArray<Json>> => JSON.parse((await read("/orders")).text).data,
    sales: async (): Promise<ReadonlyArray<Json>> => (await fetch(`${base}/sales`)).json() as Json,
    checkOut: async (sale: string, engraving: string, card = "good"): Promise<number> => {
      const headers = { "content-type": "application/json" }
      const body = JSON.stringify({ sale, engraving, card })
      return (await fetch(`${base}/checkout`, { method: "POST", headers, body })).status
    },
  }
}

export const check: Check = async (attempt) => {
  const [port, url, receiver] = await Promise.all([freePort(), attempt.postgres(), attempt.receiver()])
  const shop = attempt.start("exec node shop.mts", {
    ...{ PORT: String(port), DATABASE_URL: url, WEBHOOK_URL: receiver.url },
    SECRET_KEYS: randomBytes(32).toString("base64"),
  })
  await shop.listensAt(port)
  const credentials = credentialsIn(shop.stdout)
  expect(credentials !== undefined, 'The first start printed no line of JSON with "token" and "secret"')
  const { checkOut, orders, read, sales } = api(`http://127.0.0.1:${port}`, credentials.token)

  const { status } = await read("/orders")
  expect(status === 200, `GET /designs/v1/orders with the printed token is answered with ${status}, not 200`)
  expect((await read("/orders", "nothing")).status === 401, "The REST API does not answer 401 to an unknown token")

  await refuseAtCommit(url)
  const refusals = [
    { sale: "1", engraving: "Jo", card: "declined", expected: 402, why: "a card that was declined" },
    { sale: "2", engraving: "A text of over 20 characters", expected: 422, why: "an engraving that ring.json forbids" },
    { sale: "3", engraving: unlucky, expected: 500, why: "a COMMIT that failed" },
  ]
  for (const { card, engraving, expected, sale, why } of refusals) {
    const answered = await checkOut(sale, engraving, card)
    expect(answered === expected, `A checkout with ${why} is answered with ${answered}, not ${expected}`)
    expect((await sales()).length === 0, `After ${why} the sale is stored`)
    expect((await orders()).length === 0, `After ${why} the order is in the REST API, though the sale is not stored`)
  }

  const answered = await checkOut("1001", "Ann")
  expect(answered === 201, `A checkout that should succeed is answered with ${answered}: ${shop.printed}`)
  expect((await sales()).length === 1, "After a checkout the sale is not stored")
  const [order, ...others] = await orders()
  expect(order?.id === "1001" && order.name === "#1001", "After a checkout the REST API has no order 1001, named #1001")
  expect(others.length === 0, `After one checkout the REST API has ${others.length + 1} orders`)
  const designs: ReadonlyArray<Json> = order.designs
  expect(designs.length === 1, `The order has ${designs.length} designs, not one`)
  expect(designs[0].selection.engraving?.text === "Ann", "The design does not have the buyer's engraving")
  expect(designs[0].price.base === 12_900, `The base price of the design is ${designs[0].price.base}, not 129.00`)

  const came = await eventually(() => receiver.events.some(({ event }) => event === "design.ordered"))
  expect(came, "No design.ordered came to WEBHOOK_URL within 15 seconds of the checkout")
  const early = receiver.received.filter(({ body }) => !body.includes("#1001"))
  expect(early.length === 0, "An event about a sale that was not stored came to WEBHOOK_URL")
  expect(isSigned(receiver.received[0] as never, credentials.secret), "The printed secret does not sign the deliveries")

  await shop.kill("SIGTERM")
  const { code } = await shop.end()
  expect(code === 0, `After SIGTERM the process ended with ${code ?? "that signal"}, not with 0`)
}
