/**
 * Bounds that keep the repository readable. A count above its `limit` fails the check; a limit above its `goal` must
 * come down.
 */
export const bars = {
  readmeLines: { limit: 120, goal: 120 },
  /** Functions of over 100 lines and test callbacks of over 80. */
  longFunctions: { limit: 0, goal: 0 },
  /** In a thousand words of prose. */
  phrases: { limit: 1.5, goal: 1.5 },
  /** The same in core, adapters, hosts and all Markdown. */
  productPhrases: { limit: 1, goal: 1 },
  /** Lines of the guides of users: a shop is a shop, and a database a database. */
  stores: { limit: 0, goal: 0 },
  /** Lines of comments and texts in code. */
  longLines: { limit: 0, goal: 0 },
  /** Lines of core, adapters and hosts, without tests and examples. Counted, not chased: nothing is compressed. */
  productLines: { limit: 74_100, goal: 51_000 },
  /** Lines of tests, wherever they are, and of `conformance`. */
  proofLines: { limit: 119_300, goal: 82_000 },
  smallFiles: { limit: 138, goal: 80 },
  repeats: { limit: 51, goal: 40 },
  storagePorts: { limit: 15, goal: 10 },
  storageMethods: { limit: 96, goal: 70 },
  columnNames: { limit: 36, goal: 60 },
  sqlLiterals: { limit: 65, goal: 60 },
  /** Megabytes of `node_modules` after `npm ci`. */
  installSize: { limit: 600, goal: 600 },
} as const satisfies Readonly<Record<string, Bar>>

export interface Bar {
  readonly limit: number
  readonly goal: number
}
