/** Requests that clients may repeat under a key of theirs, an `Idempotency-Key` (D49). */
import { Clock, Effect, Redacted } from "effect"
import { Digest } from "effect/crypto"
import { Conflict, InvalidInput, type Refused, refusedAt } from "../model/Errors.ts"
import { KeptAnswers, type RequestOutcome } from "../ports/KeptAnswers.ts"
import { LostRace, raceWaits, tooManyChanges } from "../support/RetryStale.ts"
import { open, seal } from "../support/SealedSecret.ts"
import { shopOf } from "../support/ShopRecords.ts"

/** Milliseconds for which an answer is kept: 24 hours. */
const answerKept = 24 * 60 * 60 * 1000

/** The most characters of a key. */
export const longestKey = 255

/** The place of the problems of a key. */
const header = "Idempotency-Key"

/** An answer as it is kept. */
export interface RepeatableAnswer {
  readonly status: number
  /** JSON, or `null` for an answer without a body. */
  readonly body: string | null
}

/** A request with a key. */
export interface KeyedRequest {
  readonly shop: string
  readonly key: string
  /** The parts of the request that must be the same again: method, path and body. */
  readonly parts: readonly [method: string, path: string, body: Uint8Array]
  /** Whether the answer may contain a buyer's texts. */
  readonly hasTexts: boolean
}

const wrongKey = (message: string) => new InvalidInput({ message, problems: [{ path: header, message }] })

const validKey = (key: string): Effect.Effect<string, InvalidInput> => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (/[\u0000-\u001f\u007f-\u009f]/.test(key)) {
    return Effect.fail(wrongKey(`${header} must have no control characters`))
  }
  const { length } = [...key]
  return length >= 1 && length <= longestKey
    ? Effect.succeed(key)
    : Effect.fail(wrongKey(`${header} must have 1 to ${longestKey} characters, not ${length}`))
}

const utf8 = new TextEncoder()

const digestOf = ([method, path, body]: KeyedRequest["parts"]) => {
  const head = utf8.encode(`${method} ${path}\n`)
  const bytes = new Uint8Array(head.length + body.length)
  bytes.set(head)
  bytes.set(body, head.length)
  return Digest.Digest.use((digest) => digest.digestHex(Digest.sha256, bytes))
}

/**
 * Answers a request once within 24 hours: the same request with the same key gets the first answer again, and changes
 * nothing (D49). A change and its answer are stored together or not at all. Answers are kept sealed, because some show
 * a secret.
 *
 * `refusal` returns the answer to a failure that repeating the request can't mend, e.g. of input that is not allowed:
 * this answer is kept too. After any other failure nothing is kept, and the request may be repeated. Nothing is kept of
 * a shop that does not exist.
 *
 * Fails with `InvalidInput` for a key without a form that is allowed, `Refused` if another request had the key,
 * `Conflict` while the first request with the key is under way or if its answer is no longer kept, `StorageError`, and
 * the failures of the answer.
 */
export const answerOnce = Effect.fn("AnswerOnce.answer")(function* <E, R>(
  { hasTexts, key, parts, shop: shopId }: KeyedRequest,
  answer: Effect.Effect<RepeatableAnswer, E, R>,
  refusal: (error: E) => RepeatableAnswer | undefined,
) {
  yield* validKey(key)
  const isShop = yield* shopOf(shopId).pipe(
    Effect.as(true),
    Effect.catchTag("NotFound", () => Effect.succeed(false)),
  )
  if (!isShop) return yield* answer
  const request = yield* digestOf(parts)
  const now = yield* Clock.currentTimeMillis
  const record = { shop: shopId, key, request, now, until: now + answerKept, hasTexts }
  const owner = JSON.stringify(["kept answer", shopId, key, request])
  const sealed = ({ body, status }: RepeatableAnswer) => seal(Redacted.make(JSON.stringify({ status, body })), owner)
  const answers = yield* KeptAnswers
  const outcome = yield* answers.once(record, Effect.flatMap(answer, sealed)).pipe(
    Effect.retry({ ...raceWaits, while: (error) => error instanceof LostRace }),
    Effect.catch((error) => {
      if (error instanceof LostRace) return Effect.fail(tooManyChanges(error))
      const refused = refusal(error as E)
      // The change was undone, so only the refusal is stored.
      return refused === undefined ? Effect.fail(error) : answers.once(record, sealed(refused))
    }),
  )
  const text = yield* Effect.flatMap(keptText(outcome, request), (kept) => open(kept, owner)).pipe(
    // Its encryption key was removed.
    Effect.catchTag("UnopenedSecret", () => Effect.fail(notKept)),
  )
  return JSON.parse(Redacted.value(text)) as RepeatableAnswer
})

/** The sealed answer to a request. */
const keptText = (outcome: RequestOutcome, request: string): Effect.Effect<string, Refused | Conflict> => {
  if (outcome._tag === "UnderWay") {
    const message = `A request with this ${header} is under way: repeat it in a moment`
    return Effect.fail(new Conflict({ message, retryable: true }))
  }
  if (outcome._tag === "Kept" && outcome.request !== request) {
    const message = `Another request was sent with this ${header}: use a new key for each request`
    return Effect.fail(refusedAt(header, message))
  }
  return outcome.answer === null ? Effect.fail(notKept) : Effect.succeed(outcome.answer)
}

const notKept = new Conflict({
  message: `A request with this ${header} was sent before, and its answer is no longer kept: look at what is stored`,
})
