import type { StorageCase } from "../StorageCase.ts"
import { commitCases } from "./CommitCases.ts"
import { commitOrdersCases } from "./CommitOrdersCases.ts"
import { commitTransactionCases } from "./CommitTransactionCases.ts"
import { designCases } from "./DesignCases.ts"
import { designPageCases } from "./DesignPageCases.ts"
import { latestDesignCases } from "./LatestDesignCases.ts"
import { longChangeCases } from "./LongChangeCases.ts"
import { orderPageBytesCases } from "./OrderPageBytesCases.ts"
import { orderPageCases } from "./OrderPageCases.ts"
import { orderSearchCases } from "./OrderSearchCases.ts"
import { removeDesignCases } from "./RemoveDesignCases.ts"
import { unstoredOrderCases } from "./UnstoredOrderCases.ts"

/** The contract of `OrderStore`. */
export const orderStoreCases: ReadonlyArray<StorageCase> = [
  ...designCases,
  ...designPageCases,
  ...latestDesignCases,
  ...commitCases,
  ...longChangeCases,
  ...commitTransactionCases,
  ...commitOrdersCases,
  ...removeDesignCases,
  ...unstoredOrderCases,
  ...orderPageCases,
  ...orderPageBytesCases,
  ...orderSearchCases,
]
