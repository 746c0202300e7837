import { Effect } from "effect"
import { KeptAnswers, type RequestOutcome } from "../../../core/ports/KeptAnswers.ts"
import { holdingsOf, type State } from "../State.ts"

/** Kept answers in memory: a change that has begun is carried out to its end, and its answer is kept. */
export const makeKeptAnswers = (state: State): KeptAnswers["Service"] =>
  KeptAnswers.of({
    once: ({ hasTexts, key, now, request, shop, until }, change) =>
      Effect.suspend(() => {
        const kept = state.holdings.get(shop)?.answers.get(key)
        if (kept !== undefined && kept.until > now) {
          return Effect.succeed<RequestOutcome>({ _tag: "Kept", request: kept.request, answer: kept.answer })
        }
        const place = `${shop} ${key}`
        if (state.underWay.has(place)) return Effect.succeed<RequestOutcome>({ _tag: "UnderWay" })
        state.underWay.add(place)
        return change.pipe(
          Effect.map((answer): RequestOutcome => {
            holdingsOf(state, shop).answers.set(key, { request, answer, until, hasTexts })
            return { _tag: "Done", answer }
          }),
          Effect.ensuring(Effect.sync(() => state.underWay.delete(place))),
          Effect.uninterruptible,
        )
      }),

    eraseTexts: (shop) =>
      Effect.sync(() => {
        const answers = state.holdings.get(shop)?.answers
        for (const [key, kept] of answers ?? []) if (kept.hasTexts) answers?.set(key, { ...kept, answer: null })
      }),
  })
