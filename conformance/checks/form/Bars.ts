/**
 * Bounds that keep the repository readable. A count above its `limit` fails the check; a limit above its `goal` must
 * come down.
 */
export const bars = {
  readmeLines: { limit: 170, goal: 170 },
  /** Functions of over 100 lines and test callbacks of over 80. */
  longFunctions: { limit: 0, goal: 0 },
  /** In a thousand words of prose. */
  phrases: { limit: 1.5, goal: 1.5 },
  /** The same in core, adapters, hosts and all Markdown. */
  productPhrases: { limit: 1, goal: 1 },
  /** Lines of comments and texts in code. */
  longLines: { limit: 0, goal: 0 },
  /** Source files in one folder, without tests. */
  filesInFolder: { limit: 30, goal: 30 },
  /** Folders right below one folder. */
  foldersInFolder: { limit: 10, goal: 10 },
  /** Megabytes of `node_modules` after `npm ci`. */
  installSize: { limit: 600, goal: 600 },
} as const satisfies Readonly<Record<string, Bar>>

export interface Bar {
  readonly limit: number
  readonly goal: number
}
