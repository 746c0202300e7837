/**
 * What a save and a publication cost: evaluations per second of a large customizer, and the time to check a definition
 * of 512 KiB, sound or wrong. Run with `npm run bench:evaluate`; the last line is JSON.
 */
import { Result } from "effect"
import { compile } from "../../core/rules/catalog/Compile.ts"
import { evaluate } from "../../core/rules/catalog/Evaluation.ts"
import { publishCheck } from "../../core/rules/catalog/PublishCheck.ts"
import { median } from "./support/Statistics.ts"

const STEPS = 5

const answersOf = (question: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `a${index}`,
    title: `Answer ${index}`,
    orderValue: `Answer ${index} of question ${question}`,
    productionCode: `P-${question}-${index}`,
    price: index * 150 - 300,
    variantId: index % 4 === 1 ? `gid://platform/ProductVariant/${question * 1000 + index}` : null,
    layers: [{ view: `view${question % STEPS}`, path: `layers/${question}/${index}.png` }],
  }))

/**
 * Seven kinds of question in turn: four single, one multiple, one text, one upload; later ones hidden until a rule
 * shows them.
 */
const questionOf = (index: number, answers: number) => {
  const base = {
    id: `q${index}`,
    step: `s${index % STEPS}`,
    title: `Question ${index}`,
    orderKey: `Key ${index}`,
    productionKey: `PK${index}`,
    hidden: index % 5 === 4,
    required: index % 3 === 0,
  }
  if (index % 7 === 5) return { ...base, type: "text", maxLength: 80, price: 250 }
  if (index % 7 === 6) return { ...base, type: "upload", max: 3, price: 900 }
  if (index % 7 === 4) return { ...base, type: "multiple", min: 1, max: 4, answers: answersOf(index, answers) }
  return { ...base, type: "single", answers: answersOf(index, answers) }
}

/** Each reads one or two choices and shows, hides or disables something later. */
const ruleOf = (index: number, questions: number) => {
  const read = (index * 7) % Math.floor(questions / 2)
  const target = read + 1 + (index % Math.floor(questions / 2 - 1))
  const single = read % 7 < 4 ? { question: `q${read}`, is: `a${index % 3}` } : { question: `q${read}`, answered: true }
  const when = index % 3 === 0 ? { any: [single, { not: { question: "q0", is: "a1" } }] } : single
  const change =
    index % 3 === 1 && target % 7 < 5
      ? { disable: [{ question: `q${target}`, answers: ["a3"] }] }
      : index % 2 === 0
        ? { show: [`q${target}`] }
        : { hide: [`q${target}`] }
  return { id: `r${index}`, when, ...change }
}

const definitionOf = (questions: number, answers: number, rules: number) => ({
  schemaVersion: 1,
  steps: Array.from({ length: STEPS }, (_, index) => ({
    id: `s${index}`,
    title: `Step ${index}`,
    view: `view${index}`,
  })),
  questions: Array.from({ length: questions }, (_, index) => questionOf(index, answers)),
  rules: Array.from({ length: rules }, (_, index) => ruleOf(index, questions)),
})

const selectionOf = (questions: number): Record<string, unknown> =>
  Object.fromEntries(
    Array.from({ length: questions }, (_, index) => {
      if (index % 7 === 5) return [`q${index}`, { text: "Für immer, Deine Familie" }]
      if (index % 7 === 6) return [`q${index}`, ["upl_1", "upl_2"]]
      if (index % 7 === 4) return [`q${index}`, ["a2", "a0", "a1"]]
      return [`q${index}`, `a${index % 3}`]
    }),
  )

const LIMIT = 512 * 1024

/** The largest definition within the limit, by its number of questions. */
const largest = (of: (size: number) => unknown): unknown => {
  const fits = (size: number) => JSON.stringify(of(size)).length <= LIMIT
  let high = 1
  while (fits(high)) high *= 2
  let low = 0
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(middle)) low = middle
    else high = middle - 1
  }
  return of(low)
}

const bare = (questions: number) => ({
  schemaVersion: 1,
  steps: [{ id: "s", title: "", view: "v" }],
  questions: Array.from({ length: questions }, (_, index) => ({ id: `${index}`, step: "s", title: "", type: "text" })),
  rules: [],
})

const wrong = (questions: number) => ({ ...bare(0), questions: Array.from({ length: questions }, () => ({})) })

const milliseconds = (run: () => void): number => {
  const start = performance.now()
  run()
  return performance.now() - start
}

const evaluationsPerSecond = (): number => {
  const compiled = compile(Result.getOrThrow(publishCheck(definitionOf(40, 10, 60))))
  const selection = selectionOf(40)
  const input = { selection, basePrice: 12_900, currency: "EUR", roundingStep: 5 }
  Result.getOrThrow(evaluate(compiled, input))
  const batch = 5_000
  const runs = Array.from({ length: 15 }, () =>
    milliseconds(() => {
      for (let run = 0; run < batch; run++) evaluate(compiled, input)
    }),
  )
  return (batch / median(runs.slice(5))) * 1_000
}

/** The first check after a start, and the median of all. */
const publication = (
  definition: unknown,
  check: (input: unknown) => unknown,
): { readonly first: number; readonly median: number } => {
  const json = JSON.stringify(definition)
  const runs = Array.from({ length: 21 }, () => {
    const input: unknown = JSON.parse(json)
    return milliseconds(() => check(input))
  })
  return { first: runs[0] ?? Number.NaN, median: median(runs) }
}

const accept = (input: unknown) => Result.getOrThrow(publishCheck(input))
const refuse = (input: unknown) => Result.getOrThrow(Result.flip(publishCheck(input)))
const publishLarge = publication(
  largest((size) => definitionOf(Math.max(4, size), 20, size)),
  accept,
)
const publishBare = publication(largest(bare), accept)
const refuseWrong = publication(largest(wrong), refuse)
const perSecond = evaluationsPerSecond()

const large = definitionOf(40, 10, 60)
const answerCount = large.questions.flatMap((question) => ("answers" in question ? question.answers : [])).length
console.table({
  [`evaluate: ${large.questions.length} questions, ${answerCount} answers, ${large.rules.length} rules`]: {
    value: Math.round(perSecond),
    unit: "evaluations/s",
  },
  "publishCheck: 512 KiB, usual mix": { value: Number(publishLarge.median.toFixed(1)), unit: "ms" },
  "publishCheck: 512 KiB, usual mix, first run": { value: Number(publishLarge.first.toFixed(1)), unit: "ms" },
  "publishCheck: 512 KiB, as many questions as fit": { value: Number(publishBare.median.toFixed(1)), unit: "ms" },
  "publishCheck: 512 KiB, wrong everywhere": { value: Number(refuseWrong.median.toFixed(1)), unit: "ms" },
})
console.log(
  JSON.stringify({
    bench: "evaluate",
    evaluationsPerSecond: Math.round(perSecond),
    publishCheckMs: Number(publishLarge.median.toFixed(2)),
    publishCheckFirstMs: Number(publishLarge.first.toFixed(2)),
    publishCheckBareMs: Number(publishBare.median.toFixed(2)),
    publishCheckWrongMs: Number(refuseWrong.median.toFixed(2)),
  }),
)
