import { answerCases } from "./AnswerCases.ts"
import { connectionCases } from "./ConnectionCases.ts"
import { deadlineCases } from "./DeadlineCases.ts"
import { lookupCases } from "./LookupCases.ts"
import { proxyCases } from "./ProxyCases.ts"
import { requestCases } from "./RequestCases.ts"
import type { SenderCase } from "./SenderCase.ts"
import { tlsCases } from "./TlsCases.ts"

/** All requirements for adapters that send webhooks. */
export const senderCases: ReadonlyArray<SenderCase> = [
  ...requestCases,
  ...answerCases,
  ...deadlineCases,
  ...connectionCases,
  ...tlsCases,
  ...proxyCases,
  ...lookupCases,
]
