/** The log of a process on stdout, and its last words. */
import { Layer, Logger, References } from "effect"
import { reasonOf } from "../../adapters/sql/statements/Reason.ts"
import { printableLines } from "../../core/model/log/Printable.ts"
import { layerOutageLog } from "../../core/support/OutageLog.ts"
import { jsonLogger, prettyLogger } from "./Loggers.ts"
import { ConfigError, readLog } from "./ReadConfig.ts"

/** The log for people. */
export const layerPretty = Logger.layer([prettyLogger, Logger.tracerLogger])

const levels = { debug: "Debug", info: "Info", warn: "Warn", error: "Error" } as const

/**
 * The configured log, which is short during outages of the store. Without a format it is for people if one reads
 * stdout: at a terminal, and in the demo (`forPeople`).
 */
export const layerLog = (forPeople: boolean) =>
  Layer.suspend(() => {
    const { format, level } = readLog(process.env)
    const isPretty = format === undefined ? forPeople || process.stdout.isTTY === true : format === "pretty"
    return layerOutageLog.pipe(
      Layer.provide(Logger.layer([isPretty ? prettyLogger : jsonLogger, Logger.tracerLogger])),
      Layer.merge(level === undefined ? Layer.empty : Layer.succeed(References.MinimumLogLevel, levels[level])),
    )
  })

/** The sentence with which a command ends that has failed. A configuration's has a line for each problem. */
export const sentenceOf = (error: unknown): string =>
  printableLines(error instanceof ConfigError ? error.message : reasonOf(error))
