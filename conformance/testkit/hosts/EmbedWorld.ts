/** The service as a backend embeds it, without Effect. Everything opened here ends with the test. */
import { Effect, Exit, Scope } from "effect"
import { onTestFinished } from "vitest"
import {
  createDesignwire,
  type Definition,
  type Designwire,
  type DesignwireOptions,
} from "../../../hosts/embed/index.ts"
import { customizers, shopInput } from "../../suites/service/Samples.ts"
import { freshDatabase } from "../databases/Database.ts"
import { type Answering, type WebhookReceiver, webhookReceiver } from "../workers/WebhookReceiver.ts"

/** A key of 32 bytes in the form of the option. */
export const encryptionKeys = Buffer.alloc(32, 7).toString("base64")

/** Opens a resource for the duration of the test. */
export const opened = async <A>(effect: Effect.Effect<A, unknown, Scope.Scope>): Promise<A> => {
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return Effect.runPromise(Scope.provide(effect, scope))
}

/** The URL of a new, empty database. */
export const emptyDatabase = (): Promise<string> => opened(freshDatabase)

/** A service in memory that may send to this machine by default. */
export const embed = async (options: Partial<DesignwireOptions> = {}): Promise<Designwire> => {
  const designwire = await createDesignwire({
    database: { memory: true },
    encryptionKeys,
    allowNetworks: "127.0.0.0/8",
    allowHttp: true,
    ...options,
  })
  onTestFinished(() => designwire.stop())
  return designwire
}

/** A receiver of webhooks, and a way to wait for deliveries. */
export interface EmbeddedReceiver extends Omit<WebhookReceiver, "until"> {
  readonly until: (condition: () => boolean) => Promise<void>
}

export const receiver = async (answering: Answering = () => Effect.succeed(200)): Promise<EmbeddedReceiver> => {
  const started = await opened(webhookReceiver(answering))
  return { ...started, until: (condition) => Effect.runPromise(started.until(condition)) }
}

const [vector] = customizers
if (vector === undefined) throw new Error("No customizer")

/** Input of a customizer. */
export const customizer = {
  id: vector.id,
  description: { title: vector.title, platformProductId: vector.platformProductId, assetBase: vector.assetBase },
  definition: vector.definition as unknown as Definition,
}

/** Creates the shop `acme`, which sells rings. */
export const fill = async ({ customizers, shops }: Designwire): Promise<void> => {
  await shops.put("acme", shopInput)
  await customizers.put("acme", customizer.id, customizer.description)
  await customizers.publish("acme", customizer.id, { definition: customizer.definition })
}

/** An order of one ring. */
export const orderOf = (...designIds: ReadonlyArray<string>) => ({
  name: "#1001",
  orderedAt: "2026-11-20T12:00:00Z",
  lines: designIds.map((designId) => ({ designId, lineItemId: `line-${designId}` })),
})
