import { defaultWorker, type WorkerOptions } from "../../core/usecases/webhooks/dispatch/Dispatch.ts"
import { listItems, type Problem, readItems, type Source, type Values } from "./ConfigItem.ts"
import { items } from "./ConfigItems.ts"

/** The values of all items. */
export interface Config extends Omit<Values<typeof items>, "worker"> {
  readonly worker: WorkerOptions
}

/** Reads the configuration from a source, with every problem. */
export const readFrom = (source: Source): { readonly config: Config; readonly problems: ReadonlyArray<Problem> } => {
  const { problems, values } = readItems(items, source)
  return { config: { ...values, worker: { ...defaultWorker, ...values.worker } }, problems }
}

/** The names of the environment variables. */
export const variables: ReadonlyArray<string> = listItems(items).map(({ variable }) => variable)

/** The names of the options. */
export const options: ReadonlyArray<string> = listItems(items).flatMap(({ option }) => option ?? [])
