/** How each option of an endpoint is edited: the table behind its form, its page and the conflicts of two editors. */
import { Base64 } from "effect/encoding"
import type { ClientCertificate } from "../../../../core/model/webhooks/ClientCertificate.ts"
import type { Endpoint, EndpointInput } from "../../../../core/model/webhooks/Endpoint.ts"
import { usualOptions, viewOptions } from "../../../../core/model/webhooks/EndpointOptions.ts"
import type { OwnHeaders } from "../../../../core/model/webhooks/OwnHeaders.ts"
import type { Texts } from "../../texts/Language.ts"
import { readOAuth, shownOAuth } from "./OAuthFields.tsx"

/** The fields of basic authentication, which are a header. */
export const basicFields = { user: "basic.user", password: "basic.password" } as const

/** The options in the app. The headers of Standard Webhooks are one here. */
export type OptionName = keyof Texts["endpointOptions"]

/** The options of an endpoint as a form shows them: without secrets. */
export type OptionValues = Pick<Endpoint, OptionName>

/** A box that is ticked if the option has the value `on`. */
interface Box {
  readonly kind: "box"
  readonly on: unknown
}

/** A field of several lines whose value is never shown: the kept one stays if the field is empty. */
interface Secret {
  readonly kind: "secret"
  readonly placeholder: string
  /** The option in the text of the field. */
  readonly read: (text: string) => unknown
}

/** The options with parts that are never shown. */
export type SecretName = "headers" | "oauth" | "clientCertificate"

/** The sections of the form: which deliveries a receiver gets and how, and what it asks before it lets them in. */
export const sections = ["shape", "access"] as const
export type Section = (typeof sections)[number]

/** Besides, a field of numbers, one or several, and the fields of an OAuth client. */
type Control = { readonly section: Section } & (Box | Secret | { readonly kind: "number" | "numbers" | "client" })

/** The lines of headers as an object: a line without a colon is a name without a value, which is refused. */
const readHeaders = (lines: string): OwnHeaders =>
  Object.fromEntries(
    lines
      .split(/\r?\n/)
      .filter((line) => line.trim() !== "")
      .map((line) => {
        const [name = "", ...value] = line.split(":")
        return [name.trim(), value.join(":").trim()]
      }),
  )

/** The headers of the form: its lines, and the user and the password of basic authentication. */
const headersIn = (text: (name: string) => string): OwnHeaders | undefined => {
  const [user, password] = [text(basicFields.user), text(basicFields.password)]
  const lines = readHeaders(text("headers"))
  if (user === "" && password === "") return Object.keys(lines).length === 0 ? undefined : lines
  // A user with a colon would be another one with another password. An empty header is refused.
  return { ...lines, Authorization: user.includes(":") ? "" : `Basic ${Base64.encode(`${user}:${password}`)}` }
}

const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*-----END [A-Z ]*PRIVATE KEY-----/

/** A certificate and its key in one text of PEM, in any order. */
const readCertificate = (pem: string): ClientCertificate => ({
  certificate: pem.replace(privateKey, "").trim(),
  key: privateKey.exec(pem)?.[0] ?? "",
})

/** In the order in which the page of an endpoint shows them. */
export const controls: Readonly<Record<OptionName, Control>> = {
  customizers: { section: "shape", kind: "numbers" },
  standardWebhooks: { section: "shape", kind: "box", on: true },
  headers: { section: "access", kind: "secret", placeholder: "Authorization: Basic …", read: readHeaders },
  oauth: { section: "access", kind: "client" },
  clientCertificate: {
    ...{ section: "access", kind: "secret", placeholder: "-----BEGIN CERTIFICATE-----", read: readCertificate },
  },
  payload: { section: "shape", kind: "box", on: "reference" },
  heedRetryAfter: { section: "shape", kind: "box", on: true },
  ordering: { section: "shape", kind: "box", on: "object" },
  maxPerSecond: { section: "shape", kind: "number" },
  maxConcurrent: { section: "shape", kind: "number" },
}

export const optionNames = Object.keys(controls) as ReadonlyArray<OptionName>

/** The options of a section of the form. */
export const optionsIn = (section: Section) => optionNames.filter((name) => controls[name].section === section)

/** Whether a part of an option's value is never shown. */
export const isSecret = (name: string): name is SecretName =>
  name in controls && ["secret", "client"].includes(controls[name as OptionName].kind)

/** The options that are as usual, as a form shows them. */
export const usualValues: OptionValues = { standardWebhooks: false, ...viewOptions(usualOptions) }

export const isUsual = (name: OptionName, values: OptionValues): boolean =>
  JSON.stringify(values[name]) === JSON.stringify(usualValues[name])

/** The part of an option with a secret that may be shown; `null` if there is none. */
export const partOf = (name: OptionName, { clientCertificate, headers, oauth }: OptionValues): string | null => {
  if (name === "oauth") return oauth?.tokenUrl ?? null
  if (name === "clientCertificate") return clientCertificate?.subject ?? null
  return headers.length === 0 ? null : headers.join(", ")
}

/** A number; another word stays as it is, and is refused. */
const readNumber = (word: string) => (/^\d+$/.test(word) ? Number(word) : word)

/** The box that removes an option with a secret. */
export const removeName = (name: OptionName): string => `remove.${name}`

/** An option in a form that was sent; nothing if it stays as it is. */
const readOption = (name: OptionName, text: (name: string) => string, kept: OptionValues): object => {
  const control = controls[name]
  const given = text(name).trim()
  switch (control.kind) {
    case "client":
      return readOAuth(text, kept.oauth)
    case "box":
      return { [name]: given === "" ? usualValues[name] : control.on }
    case "secret": {
      const headers = name === "headers" ? headersIn(text) : undefined
      if (headers !== undefined) return { headers }
      if (given !== "") return { [name]: control.read(text(name)) }
      return text(removeName(name)) === "" ? {} : { [name]: null }
    }
    case "number":
      return { [name]: given === "" ? null : readNumber(given) }
    case "numbers": {
      const words = given.split(/[\s,;]+/).filter((word) => word !== "")
      return { [name]: words.length === 0 ? null : words.map(readNumber) }
    }
  }
}

/** The options in a form that was sent. Those with a secret are left out if they stay as they are `kept`. */
export const readOptions = (text: (name: string) => string, kept: OptionValues) =>
  Object.assign({}, ...optionNames.map((name) => readOption(name, text, kept))) as Omit<
    OptionValues,
    "headers" | "oauth" | "clientCertificate"
  > &
    Pick<EndpointInput, "headers" | "oauth" | "clientCertificate">

/** Options that were sent as their form shows them again: without what is secret. */
export const shownAgain = (sent: ReturnType<typeof readOptions>, kept: OptionValues): OptionValues => ({
  ...sent,
  headers: kept.headers,
  oauth: shownOAuth(sent, kept.oauth),
  clientCertificate: kept.clientCertificate,
})
