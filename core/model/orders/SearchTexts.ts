/** Texts to look for, from one that was typed or pasted: a number, a sentence, a URL, an id in capitals. */

/** More parts of a text are not looked for: each costs some reads. */
const mostParts = 8

/** The names of orders that a text asks for: shops of Shopify name orders `#1027`, and buyers quote `1027`. */
export const namesIn = (text: string): ReadonlyArray<string> => (/^\d/.test(text) ? [text, `#${text}`] : [text])

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    // A `%` that is none of a URL's.
    return text
  }
}

/** Quotes, brackets and marks of a sentence around a word. */
const around = /^[\s"'`„“”‚‘’«»‹›()[\]{}<>]+|[\s"'`„“”‚‘’«»‹›()[\]{}<>.,;:!?…]+$/gu

const distinct = (texts: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(texts)]

/** A text and, if it has capitals, the same without, else the same in capitals. */
const inEitherCase = (text: string): ReadonlyArray<string> => {
  const lower = text.toLowerCase()
  return distinct([text, lower === text ? text.toUpperCase() : lower])
}

/**
 * The parts of a text that may be an id or a name of an order, the likeliest first, without the text itself: the words
 * of a sentence and the segments and values of a URL, as far as they have a digit, without a `#` or `No.` before them,
 * and in lower case too.
 */
export const partsIn = (text: string): ReadonlyArray<string> => {
  const words = text.split(/\s+/u).map((word) => word.replaceAll(around, ""))
  const segments = words.flatMap((word) =>
    word.split(/[/?&=,;|]+/u).map((part) => decoded(part).replaceAll(around, "")),
  )
  const parts = [...words, ...segments].filter((part) => /\d/.test(part))
  const bare = parts.map((part) => part.replace(/^(?:.*#|\p{L}+[.:](?!\/))/u, ""))
  return distinct([...parts, ...bare].flatMap(inEitherCase))
    .filter((part) => part !== "" && part !== text)
    .slice(0, mostParts)
}

const ownIds = { dsn: "design", evt: "event", dlv: "delivery" } as const

/** The ids of a delivery's event and of its endpoint may follow each other. */
const ownId = /^(dsn|evt|dlv)_(?:[0-9a-z]{22}){1,2}$/

/** Those of some texts that are ids as designwire makes them, in any case: each once, in lower case. */
export const ownIdsIn = (texts: ReadonlyArray<string>) =>
  distinct(texts.map((text) => text.toLowerCase())).flatMap((id) => {
    const prefix = ownId.exec(id)?.[1] as keyof typeof ownIds | undefined
    return prefix === undefined ? [] : [{ of: ownIds[prefix], id }]
  })
