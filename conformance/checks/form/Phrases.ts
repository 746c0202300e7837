import { type ProseLine, proseOf } from "./Prose.ts"
import { isTest, type Source } from "./Source.ts"

/**
 * A turn of phrase that native readers stumble over, and what to write instead. A single one may be right; many are
 * not.
 */
interface Phrase {
  readonly name: string
  readonly pattern: RegExp
  readonly instead: string
}

export const phrases: ReadonlyArray<Phrase> = [
  {
    name: "where for if",
    pattern: /\b[Ww]here (?!is\b|are\b|to\b|things\b|the code\b)[a-z]/g,
    instead: "if, when, or a relative clause",
  },
  {
    name: "what-clause",
    pattern:
      /(?:^|[.;:] |\/\*\*? ?|\/\/ ?)What (?:is|was|are|has|comes|goes|stands|can|may|must|waits|they|it|an?|the|one)\b/g,
    instead: "the noun",
  },
  { name: "tell", pattern: /\b(?:tells?|told)\b/g, instead: "say, report, notify, return, show, log" },
  { name: "is no", pattern: /\b(?:is|are|was|were) no\b/g, instead: "is not a, there is no" },
  { name: "that of", pattern: /\b(?:those|that) of\b/g, instead: "the noun again" },
  {
    name: "whoever",
    pattern:
      /\b(?:[Ww]hoever|[Ww]ho (?:has|asks|wrote|makes|runs|uses|reads|embedded|brings|moves|accepts)|for who)\b/g,
    instead: "the noun: callers, clients, adapter authors",
  },
  {
    name: "so many",
    pattern: /\b[Ss]o (?:many|much|often|long as)\b/g,
    instead: "at most n, how many, as long as",
  },
  { name: "anew", pattern: /\banew\b/g, instead: "again" },
  { name: "go on", pattern: /\b(?:go|goes|went|going) on\b/g, instead: "continue, keep doing" },
  { name: "beside", pattern: /\bbeside\b/g, instead: "alongside, besides, next to" },
  { name: "is to be", pattern: /\b(?:is|are) to be\b/g, instead: "must be, will be" },
  { name: "of then", pattern: /\bof (?:then|before|now)\b/g, instead: "current, previous, at the time" },
  {
    name: "all the same",
    pattern: /\ball the same\b|\bby itself\b|\bin good order\b/g,
    instead: "anyway, automatically, cleanly",
  },
  {
    name: "old words",
    pattern: /\b(?:be it|lest|hence|thereof|therein|whereof|whence)\b/g,
    instead: "plain words",
  },
]

/** A shop is never called a store: that is where an adapter keeps everything. */
const store = new RegExp(
  [
    "\\b(?:an?|this|each|every|one|own|new|busy|large|whole) store\\b",
    "\\b(?:the|two|no|any|which|listed|removed|your|of) stores?\\b",
    "\\bstore's\\b",
  ].join("|"),
  "i",
)

/** Certainly a shop, in texts of the product and in the changelog, which also speak of the store of an adapter. */
const shopAsStore = new RegExp(
  [
    "\\b(?:an?|this|another|one|two|each|every|own|new|busy) stores?\\b",
    "\\bstore (?:owner|domain)s?\\b",
    "\\bstore's (?:orders|events|plan|custom|pages|tokens|webhooks|own|owner|domain|first|data)\\b",
    "\\b(?:tokens?|change|settings|system|events|orders) of the store\\b",
    "\\bstores, each\\b",
  ].join("|"),
  "i",
)

/** What users read as a text of the product: no comments. */
const isText = ({ path }: Source, line: string): boolean =>
  path === "CHANGELOG.md" || (/^(?:core|hosts)\/.*\.tsx?$/.test(path) && !/^\s*[*/]/.test(line))

/** The guides of users. Guides to adapters have stores. */
const isForUsers = ({ path }: Source): boolean =>
  path.startsWith("hosts/settings/texts/") ||
  (path.endsWith(".md") &&
    /^(?:adapters|core|hosts|skills|README|AGENTS|SECURITY|conformance\/(?:README|SERVICES|bench))/.test(path) &&
    !path.includes("adapter/"))

/** The lines of guides, of texts and of the changelog that call a shop, or in guides a database, a store. */
export const storesIn = (source: Source): ReadonlyArray<ProseLine> => {
  if (isTest(source)) return []
  const isGuide = isForUsers(source)
  return proseOf(source).filter(
    ({ text }) => (isGuide ? store : shopAsStore).test(text) && (isGuide || isText(source, text)),
  )
}

/** A phrase where it stands. */
export interface FoundPhrase extends ProseLine {
  readonly phrase: Phrase
}

export const phrasesIn = (source: Source): ReadonlyArray<FoundPhrase> =>
  proseOf(source).flatMap((line) =>
    phrases.flatMap((phrase) => Array.from(line.text.matchAll(phrase.pattern), () => ({ ...line, phrase }))),
  )

/** How many phrases these files have in a thousand words of prose. */
export const phraseRate = (sources: ReadonlyArray<Source>): number => {
  const words = sources.flatMap(proseOf).map(({ text }) => text.match(/[A-Za-z]{2,}/g)?.length ?? 0)
  const all = words.reduce((sum, count) => sum + count, 0)
  return all === 0 ? 0 : (1000 * sources.flatMap(phrasesIn).length) / all
}
