/** Answers that hold a stored text as it is (D10). */
import { Effect } from "effect"
import { utf8Length } from "../model/Text.ts"
import { lengthOf, type WireForm } from "../model/WireForm.ts"
import type { Answer } from "./Answer.ts"
import { isKnown } from "./AnswerHeaders.ts"
import { acceptedCodings, Compression, tagIn } from "./ContentCoding.ts"

type Headers = Readonly<Record<string, string | undefined>>

/** The answer to a request with certain headers: compressed if the client accepts that and the text is long enough. */
export const storedAnswer = (
  asked: Headers,
  found: WireForm<unknown>,
  more: Answer["headers"] = {},
): Effect.Effect<Answer> => {
  const accepted = asked["accept-encoding"]
  if (accepted === undefined || !isCompressible(found)) {
    return Effect.succeed(tagged(asked, found, more, identityOnly).answer)
  }
  return Compression.use((compressor) => {
    const { answer, coding } = tagged(asked, found, more, acceptedCodings(compressor?.codings ?? [], accepted))
    if (compressor === undefined || coding === "identity" || answer.body === null) return Effect.succeed(answer)
    const headers = { ...answer.headers, "content-encoding": coding }
    return Effect.map(compressor.compress(coding, found.text), (body) => ({ ...answer, headers, body }))
  })
}

const identityOnly = ["identity"] as const

/**
 * The answer before it is compressed, with the tag of its coding: the best one, or the one in which the client has the
 * text already. In that case the answer is 304 (D17).
 */
const tagged = <Coding extends string>(
  asked: Headers,
  { etag, pieces }: WireForm<unknown>,
  more: Answer["headers"],
  codings: ReadonlyArray<Coding | "identity">,
) => {
  const known = codings.find((coding) => isKnown(asked["if-none-match"], tagIn(coding, etag)))
  const coding = known ?? codings[0] ?? "identity"
  const headers = {
    etag: tagIn(coding, etag),
    "cache-control": "private, no-cache",
    vary: "Authorization, Accept-Encoding",
    ...more,
  }
  const answer: Answer =
    known === undefined ? { status: 200, headers, body: pieces } : { status: 304, headers, body: null }
  return { answer, coding }
}

/** Shorter answers stay plain: they fit into one packet anyway. */
const smallest = 1024

/** Whether a text has enough bytes to be compressed. Counts them only if the number of characters leaves it open. */
const isCompressible = ({ pieces }: WireForm<unknown>): boolean => {
  const characters = lengthOf(pieces)
  return characters >= smallest || (characters * 3 >= smallest && lengthOf(pieces, utf8Length) >= smallest)
}
