import { answerCases } from "./AnswerCases.ts"
import { connectionCases } from "./ConnectionCases.ts"
import { deadlineCases } from "./DeadlineCases.ts"
import { lookupCases } from "./LookupCases.ts"
import { requestCases } from "./RequestCases.ts"
import type { SenderCase } from "./SenderCase.ts"
import { tlsCases } from "./TlsCases.ts"

/** Everything that an adapter which sends webhooks must do. */
export const senderCases: ReadonlyArray<SenderCase> = [
  ...requestCases,
  ...answerCases,
  ...deadlineCases,
  ...connectionCases,
  ...tlsCases,
  ...lookupCases,
]
