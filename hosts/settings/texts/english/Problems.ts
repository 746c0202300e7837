import { figuresOf } from "../../parts/Figures.ts"

const { figure } = figuresOf("en-GB")

/** The faults of a form, in the words of its reader. */
export const problems = {
  name: (maximum: number) => `Enter a name of 1 to ${figure(maximum)} characters, without control characters.`,
  description: (maximum: number) =>
    `Enter a description of at most ${figure(maximum)} characters, without control characters.`,
  url: (maximum: number) => `Enter a URL of at most ${figure(maximum)} characters, without control characters.`,
  events: "Choose at least one kind of event.",
  customizers: "Enter ids of customizers, each once, at most 100.",
  maxPerSecond: "Enter a whole number from 1 to 1,000, or nothing.",
  maxConcurrent: "Enter a whole number from 1 to 8, or nothing.",
  scopes: "Choose at least one scope.",
  scope: 'Enter scopes with a space between two of them, at most 1,024 characters, without " and \\.',
  visible: (maximum: number) => `Enter 1 to ${figure(maximum)} letters, digits and other characters of ASCII.`,
  oneAuthorization: "Remove the header Authorization of your own first: OAuth sets it.",
  certificate: "Enter a certificate as PEM that TLS can use.",
  key: "Enter the key of the certificate as PEM, without a passphrase.",
  otherKey: "The key belongs to another certificate.",
  ended: "This certificate has ended.",
  expiresAt: "Choose when the token ends.",
  overlap: "Choose how long the old secret still signs.",
  notAbsolute: "Enter a whole URL, e.g. https://erp.example.com/webhooks.",
  notHttps: "The URL must begin with https://.",
  notHttp: "The URL must begin with https:// or http://.",
  password: "The URL must not have a user name or a password in it.",
  fragment: "The URL must not have a part after #.",
  port: (port: string) => `Use another port: ${port} belongs to another kind of service.`,
  notPublic: "Nothing can be sent to this host: it is not public, or it is blocked here.",
  notFound: "This host was not found. Check its name, or try again in a moment.",
  /** There are as many as there may be. */
  full: (maximum: number) => `There are ${figure(maximum)} already, the most a store can have. Delete one first.`,
  plan: "The store's plan does not include this.",
  /** A fault without words of its own. `message` is in English. */
  other: (message: string) => message,
}
