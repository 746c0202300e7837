import { commitCases } from "./CommitCases.ts"
import { customizerCases } from "./CustomizerCases.ts"
import { designCases } from "./DesignCases.ts"
import { orderPageCases } from "./OrderPageCases.ts"
import type { StorageCase } from "./StorageCase.ts"

/** What `ResourceStore` promises. */
export const resourceStoreCases: ReadonlyArray<StorageCase> = [
  ...customizerCases,
  ...designCases,
  ...commitCases,
  ...orderPageCases,
]
