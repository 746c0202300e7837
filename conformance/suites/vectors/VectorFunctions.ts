import type { Price, ProductionEntry, SummaryEntry } from "../../../core/model/catalog/Design.ts"

/** A selection for a customizer, with the shop's terms. */
export interface EvaluationVector {
  /** The customizer's definition: JSON. */
  readonly definition: unknown
  /** Values by question id: JSON. */
  readonly selection: unknown
  /** Minor units. */
  readonly basePrice: number
  readonly currency: string
  readonly roundingStep: number
}

/** The result of a selection, or the ids of the wrongly answered questions in order. */
export type EvaluationAnswer =
  | {
      readonly summary: ReadonlyArray<SummaryEntry>
      readonly productionData: ReadonlyArray<ProductionEntry>
      readonly price: Price
    }
  | { readonly problems: ReadonlyArray<string> }

/** Input of a signature. */
export interface SignVector {
  readonly secret: string
  /** Whole seconds since 1970, as text. */
  readonly timestamp: string
  readonly body: string
}

/** A signed request, and the time of its verification. */
export interface VerifyVector extends SignVector {
  /** 64 lowercase hex digits in a valid request. */
  readonly signature: string
  /** Whole seconds since 1970. */
  readonly now: number
}

/** Input of a Standard Webhooks signature (D41). */
export interface StandardSignVector extends SignVector {
  /** The event's id, which is `webhook-id`. */
  readonly id: string
}

/** A request with the headers of Standard Webhooks, and the time of its verification. */
export interface StandardVerifyVector extends StandardSignVector {
  /** `webhook-signature`: signatures with their version, `v1,…`, separated by spaces. */
  readonly signature: string
  /** Whole seconds since 1970. */
  readonly now: number
}

/** Pure functions of an implementation of the specification. Each returns its result or a promise. */
export interface VectorFunctions {
  readonly evaluate: (vector: EvaluationVector) => EvaluationAnswer | Promise<EvaluationAnswer>
  /** The signature: 64 lowercase hex digits. */
  readonly sign: (vector: SignVector) => string | Promise<string>
  /** Whether a receiver accepts it. */
  readonly verify: (vector: VerifyVector) => boolean | Promise<boolean>
  /** The signature of Standard Webhooks: `v1,` and base64. */
  readonly signStandard: (vector: StandardSignVector) => string | Promise<string>
  /** Whether a receiver accepts it by its headers of Standard Webhooks. */
  readonly verifyStandard: (vector: StandardVerifyVector) => boolean | Promise<boolean>
  /** Whether webhooks may be sent to this address, given as any text. */
  readonly isPublicAddress: (address: string) => boolean | Promise<boolean>
}
