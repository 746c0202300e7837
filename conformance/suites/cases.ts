import { receiverCases } from "./receiver/cases.ts"
import type { Case } from "./runner/Case.ts"
import { senderCases } from "./sender/cases.ts"
import { serviceCases } from "./service/cases.ts"
import { storageCases } from "./storage/cases.ts"
import { vectorCases } from "./vectors/cases.ts"
import type { VectorFunctions } from "./vectors/VectorFunctions.ts"

/** The facts about a case, without its program. */
export type CaseFacts = Pick<Case, "id" | "title" | "requirements" | "ports" | "needs" | "without">

const never = () => Promise.reject(new Error("This case is listed, not run"))

/** Every case by suite. */
export const allCases: Readonly<Record<string, ReadonlyArray<CaseFacts>>> = {
  storage: storageCases,
  sender: senderCases,
  service: serviceCases,
  receiver: receiverCases,
  vectors: vectorCases({
    evaluate: never,
    sign: never,
    verify: never,
    signStandard: never,
    verifyStandard: never,
    isPublicAddress: never,
  } satisfies VectorFunctions),
}
