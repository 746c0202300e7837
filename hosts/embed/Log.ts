/** The log of an embedded service. */
import { Logger } from "effect"
import { lineLogger } from "../../core/model/log/LineLogger.ts"

/** Lines on the console of the application. What others said in them can't act on its terminal. */
export const layerLog = Logger.layer([lineLogger({ fields: true }), Logger.tracerLogger])
