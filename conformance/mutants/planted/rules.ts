import type { Mutant } from "../Mutant.ts"
import { deliveries } from "./rules/Deliveries.ts"
import { evaluation } from "./rules/Evaluation.ts"
import { hosts } from "./rules/Hosts.ts"
import { publishing } from "./rules/Publishing.ts"
import { requests } from "./rules/Requests.ts"
import { secrets } from "./rules/Secrets.ts"
import { states } from "./rules/States.ts"

/** Faults in the rules. */
export const rules: ReadonlyArray<Mutant> = [
  ...evaluation,
  ...publishing,
  ...hosts,
  ...deliveries,
  ...requests,
  ...secrets,
  ...states,
]
