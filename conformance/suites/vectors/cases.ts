import { Effect } from "effect"
import { equal, show } from "../Assertion.ts"
import type { Case } from "../runner/Case.ts"
import addresses from "./addresses.json" with { type: "json" }
import customizers from "./customizers.json" with { type: "json" }
import accepted from "./evaluation.json" with { type: "json" }
import refused from "./selection-refused.json" with { type: "json" }
import signatures from "./signatures.json" with { type: "json" }
import standard from "./standard-webhooks.json" with { type: "json" }
import type { VectorFunctions } from "./VectorFunctions.ts"

/** Ingredients of the cases of a function. */
type Cases<K extends keyof VectorFunctions> = (ask: VectorFunctions[K]) => ReadonlyArray<Omit<Case, "ports">>

/** The result of a function, or its promise. */
const answerOf = <A>(ask: () => A | Promise<A>): Effect.Effect<A, unknown> =>
  Effect.tryPromise({ try: async () => ask(), catch: (error) => error })

/** Expects the named result for every vector. */
const answersAll = <V, A>(
  vectors: ReadonlyArray<V>,
  nameOf: (vector: V) => string,
  ask: (vector: V) => A | Promise<A>,
  expected: (vector: V) => NoInfer<A>,
) =>
  Effect.forEach(
    vectors,
    (vector) =>
      Effect.flatMap(
        answerOf(() => ask(vector)),
        (answer) => equal(nameOf(vector), answer, expected(vector)),
      ),
    { discard: true },
  )

/** The name of a vector as part of a case id. */
const slug = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")

const definitionOf = (customizer: number): unknown => customizers.find(({ id }) => id === customizer)?.definition

const evaluation: Cases<"evaluate"> = (evaluate) => [
  ...accepted.map(({ customizer, expected, name, requirements, ...vector }) => ({
    id: `evaluate.${slug(name)}`,
    title: `MUST evaluate a selection: ${name}`,
    requirements,
    run: Effect.flatMap(
      answerOf(() => evaluate({ ...vector, definition: definitionOf(customizer) })),
      // As text, because the key order is part of the format.
      (answer) => equal("the evaluation", JSON.stringify(answer), JSON.stringify(expected)),
    ),
  })),
  ...refused.map(({ customizer, name, questions, requirements, selection }) => ({
    id: `evaluate.refuse.${slug(name)}`,
    title: `MUST refuse a selection and name the questions: ${name}`,
    requirements,
    run: Effect.flatMap(
      answerOf(() =>
        evaluate({ definition: definitionOf(customizer), selection, basePrice: 0, currency: "EUR", roundingStep: 1 }),
      ),
      (answer) => equal("the answer", answer, { problems: questions }),
    ),
  })),
]

const signing: Cases<"sign"> = (sign) => [
  {
    id: "sign.text",
    title: "MUST sign the timestamp and the body under the whole secret",
    requirements: ["§5-7", "D20"],
    run: answersAll(
      signatures.sign,
      ({ name, timestamp }) => `${name} at ${timestamp}`,
      ({ body, secret, timestamp }) => sign({ body, secret, timestamp }),
      ({ signature }) => signature,
    ),
  },
]

const verifying: Cases<"verify"> = (verify) =>
  [true, false].map((valid) => ({
    id: valid ? "verify.accept" : "verify.reject",
    title: valid
      ? "MUST accept a request with a valid signature and a timestamp at most 300 seconds away"
      : "MUST reject a request that is altered, signed with another secret, or too old",
    requirements: ["§5-8", "§5-9", "§8-8"],
    run: answersAll(
      signatures.verify.filter((vector) => vector.valid === valid),
      ({ name }) => name,
      ({ body, now, secret, signature, timestamp }) => verify({ body, now, secret, signature, timestamp }),
      () => valid,
    ),
  }))

const signingStandard: Cases<"signStandard"> = (sign) => [
  {
    id: "standard.sign",
    title: "MUST sign the event's id, the timestamp and the body under the decoded base64 of the secret",
    requirements: ["D41"],
    run: answersAll(
      standard.sign,
      ({ name, timestamp }) => `${name} at ${timestamp}`,
      ({ body, id, secret, timestamp }) => sign({ body, id, secret, timestamp }),
      ({ signature }) => signature,
    ),
  },
]

const verifyingStandard: Cases<"verifyStandard"> = (verify) =>
  [true, false].map((valid) => ({
    id: valid ? "standard.verify.accept" : "standard.verify.reject",
    title: valid
      ? "MUST accept a request with a valid v1 signature and a timestamp at most 300 seconds away"
      : "MUST reject a request without a valid signature, or that is too old",
    requirements: ["D41", "§8-8"],
    run: answersAll(
      standard.verify.filter((vector) => vector.valid === valid),
      ({ name }) => name,
      ({ body, id, now, secret, signature, timestamp }) => verify({ body, id, now, secret, signature, timestamp }),
      () => valid,
    ),
  }))

const judging: Cases<"isPublicAddress"> = (isPublicAddress) =>
  [true, false].map((expected) => ({
    id: expected ? "address.public" : "address.refused",
    title: expected ? "MUST accept a public address" : "MUST refuse an address that is not public or not an address",
    requirements: ["§6-23", "D35"],
    run: answersAll(
      addresses.filter((vector) => vector.public === expected),
      ({ address }) => show(address),
      ({ address }) => isPublicAddress(address),
      () => expected,
    ),
  }))

/** The cases about the given functions. */
export const vectorCases = ({
  evaluate,
  isPublicAddress,
  sign,
  signStandard,
  verify,
  verifyStandard,
}: Partial<VectorFunctions>): ReadonlyArray<Case> => {
  const of = <K extends keyof VectorFunctions>(name: K, cases: Cases<K>, ask: VectorFunctions[K] | undefined) =>
    ask === undefined ? [] : cases(ask).map((each): Case => ({ ...each, ports: [name] }))
  return [
    ...of("evaluate", evaluation, evaluate),
    ...of("sign", signing, sign),
    ...of("verify", verifying, verify),
    ...of("signStandard", signingStandard, signStandard),
    ...of("verifyStandard", verifyingStandard, verifyStandard),
    ...of("isPublicAddress", judging, isPublicAddress),
  ]
}
