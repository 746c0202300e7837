/** A site with orders that never came, which then sends one with the webhook that it was given. */
import { randomBytes } from "node:crypto"
import { Effect, Exit, Scope } from "effect"
import { listening } from "../../../testkit/platforms/PlatformServer.ts"
import { wooCommerceServer } from "../../../testkit/platforms/WooCommerceServer.ts"
import type { Check } from "../Attempt.ts"
import { expect } from "../Program.ts"
import { eventually, local, Service } from "../Service.ts"
import { orderOf, sendOrder } from "../Site.ts"

const accessKey = "ck_0123456789:cs_0123456789"

export const check: Check = async (attempt) => {
  attempt.requireFile("connect.sh")
  const scope = Scope.makeUnsafe()
  attempt.closing(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const site = wooCommerceServer(accessKey)
  const { domain } = await Effect.runPromise(Scope.provide(listening(site), scope))
  const variables = {
    ...{ ...local, DATABASE_URL: await attempt.postgres(), DESIGNWIRE_PUBLIC_URL: "https://designs.example.com" },
    ...{ DESIGNWIRE_MANAGE_KEY: randomBytes(24).toString("hex") },
    DESIGNWIRE_ENCRYPTION_KEYS: randomBytes(32).toString("base64"),
  }
  const service = await Service.on(attempt, variables.DATABASE_URL, variables)
  await service.furnish()
  const order = async (id: number, daysAgo: number) => {
    const design = { customizerId: 1, basePrice: 12_900, selection: { metal: "silver" } }
    await service.manage("PUT", `/designs/design-${id}`, design)
    return orderOf(id, `design-${id}`, { daysAgo })
  }
  const lost = [501, 502]
  for (const [index, id] of lost.entries()) site.orders.set(id, await order(id, index + 1))

  const secret = randomBytes(16).toString("hex")
  const given = { SERVICE: service.url, SITE: domain, ACCESS_KEY: accessKey, WEBHOOK_SECRET: secret }
  await attempt.run("sh connect.sh", { ...variables, ...given })
  const topics = site.webhooks.filter(({ status }) => status === "active").map(({ topic }) => topic)
  for (const topic of ["order.created", "order.updated", "order.deleted", "order.restored"]) {
    expect(topics.includes(topic), `The site has no active webhook of ${topic}; it has ${topics.join(", ") || "none"}`)
  }
  const token = await service.token()
  const isPlaced = async (id: number): Promise<boolean> => (await service.read(`/orders/${id}`, token)).status === 200
  for (const id of lost)
    expect(await eventually(() => isPlaced(id)), `The order ${id}, which never came, is not placed`)

  const webhook = site.webhooks.find(({ topic }) => topic === "order.created")
  const { pathname } = new URL(webhook?.delivery_url ?? service.url)
  const response = await sendOrder(`${service.url}${pathname}`, webhook?.secret ?? "", await order(503, 0), domain)
  expect(webhook?.secret === secret, "The webhooks of the site are not signed with WEBHOOK_SECRET")
  expect(response.ok, `A webhook of the site is answered with ${response.status}: ${await response.text()}`)
  expect(await eventually(() => isPlaced(503)), "An order that comes by a webhook is not placed")
}
