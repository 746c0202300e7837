import { accessCases } from "./AccessCases.ts"
import { conditionalCases } from "./ConditionalCases.ts"
import { cursorCases } from "./CursorCases.ts"
import { deliveryCases } from "./DeliveryCases.ts"
import { endpointCases } from "./EndpointCases.ts"
import { evaluationCases } from "./EvaluationCases.ts"
import { feedCases } from "./FeedCases.ts"
import { optionCases } from "./optional/OptionCases.ts"
import { rotationCases } from "./optional/RotationCases.ts"
import { scopeCases } from "./optional/ScopeCases.ts"
import { pageCases } from "./PageCases.ts"
import { queryCases } from "./QueryCases.ts"
import { rateCases } from "./RateCases.ts"
import { restartCases } from "./RestartCases.ts"
import { retryCases } from "./RetryCases.ts"
import { routeCases } from "./RouteCases.ts"
import type { ServiceCase } from "./ServiceCase.ts"
import { shapeCases } from "./ShapeCases.ts"
import { stateCases } from "./StateCases.ts"
import { strangerCases } from "./StrangerCases.ts"

/** Every case of the suite. */
export const serviceCases: ReadonlyArray<ServiceCase> = [
  ...accessCases,
  ...routeCases,
  ...shapeCases,
  ...pageCases,
  ...queryCases,
  ...cursorCases,
  ...conditionalCases,
  ...rateCases,
  ...evaluationCases,
  ...stateCases,
  ...endpointCases,
  ...deliveryCases,
  ...retryCases,
  ...feedCases,
  ...rotationCases,
  ...optionCases,
  ...scopeCases,
  ...strangerCases,
  ...restartCases,
]
