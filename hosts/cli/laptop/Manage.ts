/** Calls of a running host's management API, for commands on a laptop. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Option, Redacted, Result } from "effect"
import { printable } from "../../../core/model/log/Printable.ts"
import { type ConfigError, configError, readConfig } from "../ReadConfig.ts"
import { innermostMessage, makeSend, type Send } from "./Outgoing.ts"
import { Refusal } from "./Refusal.ts"
import { notReached, serviceUrl } from "./ServiceUrl.ts"

/** The host, and one of its shops. */
export interface ManageOptions {
  /** Default: the address of a service with this environment. */
  readonly url: Option.Option<string>
  readonly key: Option.Option<string>
  readonly shop: Option.Option<string>
}

/** Calls the management API, at a path below the shop's address. */
export type Call = (method: string, path: string, body?: unknown) => Promise<unknown>

/** A shop, and a way to call the management API for it. */
export interface ManagedShop {
  readonly shop: string
  readonly call: Call
}

/** The current shop: the named shop, or the only one. */
export const managedShop = Effect.fnUntraced(function* (options: ManageOptions, send: Send = makeSend()) {
  const url = yield* serviceUrl(options.url, "manage", options.shop)
  if (!URL.canParse(url)) return yield* configError("--url must be the host's address, e.g. http://127.0.0.1:3000")
  const key = Option.isSome(options.key) ? options.key.value : yield* keptKey
  const base = `${new URL(url).origin}/manage/v1/shops`
  const ask = async (method: string, address: string, body?: unknown): Promise<unknown> => {
    const answer = await send(address, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    }).catch((error: unknown) => {
      throw new Refusal(notReached(url, error))
    })
    const text = await answer.text()
    const value = parsed(text)
    if (answer.status >= 200 && answer.status < 300) return value
    const message = messageOf(value)
    const said = `${method} ${address} was answered ${answer.status}: ${message ?? text.slice(0, 200)}`
    const isDoubtful = message === undefined || answer.status === 404
    throw new Refusal(isDoubtful ? `${said}. If the management API is elsewhere, give --url` : said, answer.status)
  }
  const shop = Option.isSome(options.shop)
    ? options.shop.value
    : yield* running(async () => onlyShop(await ask("GET", base)))
  const call: Call = (method, path, body) => ask(method, `${base}/${encodeURIComponent(shop)}${path}`, body)
  return { shop, call }
})

/** The configured key, or the key that a host in this directory has generated. */
const keptKey = Effect.gen(function* () {
  const { dataDirectory, manageKey } = yield* readConfig(process.env, [])
  if (manageKey !== undefined) return Redacted.value(manageKey)
  const path = join(dataDirectory, "manage-key")
  if (existsSync(path)) return readFileSync(path, "utf8").trim()
  return yield* configError(
    "Give the management key: --key, or DESIGNWIRE_MANAGE_KEY, or run this in the directory with the host's data",
  )
})

/** Runs calls. The command fails with the message of a refusal. */
export const running = <A>(run: () => Promise<A>): Effect.Effect<A, ConfigError> =>
  Effect.tryPromise({
    try: run,
    catch: (error) => configError(printable(error instanceof Refusal ? error.message : innermostMessage(error))),
  })

const onlyShop = (list: unknown): string => {
  const shops = (list as { readonly data: ReadonlyArray<{ readonly id: string }> }).data
  const [only] = shops
  if (only !== undefined && shops.length === 1) return only.id
  const names = shops.slice(0, 10).map(({ id }) => id)
  throw new Refusal(
    only === undefined
      ? "The host has no shop"
      : `Say which shop: --shop, one of ${names.join(", ")}${shops.length > 10 ? ", …" : ""}`,
  )
}

const parsed = (text: string): unknown => Result.getOrUndefined(Result.try((): unknown => JSON.parse(text)))

const messageOf = (value: unknown): string | undefined => (value as { readonly message?: string } | undefined)?.message
