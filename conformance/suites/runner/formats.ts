/** Report formats: line by line as cases end, or as a whole at the end. */
import type { Report, Result } from "./Report.ts"

interface Format {
  /** Output after a case. The first case has the number 1. */
  readonly ended?: (result: Result, number: number) => string
  /** Output at the end. */
  readonly done: (report: Report) => string
}

const indented = (text: string, by: string): string => text.replaceAll(/^/gm, by)

const counts = ({ failed, passed, skipped }: Report): string => `${passed} passed, ${failed} failed, ${skipped} skipped`

const marks = { passed: "✓", failed: "✗", skipped: "-" } as const

const pretty: Format = {
  ended: ({ durationMs, id, message, status, title }) => {
    const head = `${marks[status]} ${id}: ${title}`
    if (status === "passed") return durationMs < 1_000 ? head : `${head} (${durationMs} ms)`
    return `${head}\n${indented(status === "skipped" ? `left out: ${message}` : (message ?? ""), "    ")}`
  },
  done: (report) => `${report.suite}: ${counts(report)} in ${(report.durationMs / 1_000).toFixed(1)} s`,
}

/** TAP 14: https://testanything.org/tap-version-14-specification.html */
const tap: Format = {
  ended: ({ id, message, status, title }, number) => {
    const description = `${id}: ${title}`.replaceAll(/[\\#]/g, "\\$&")
    const line = `${status === "failed" ? "not ok" : "ok"} ${number} - ${description}`
    const start = number === 1 ? "TAP version 14\n" : ""
    if (status === "skipped") return `${start}${line} # SKIP ${message}`
    if (status === "passed") return `${start}${line}`
    return `${start}${line}\n  ---\n  message: |\n${indented(message ?? "", "    ")}\n  ...`
  },
  done: ({ results }) => (results.length === 0 ? "TAP version 14\n1..0" : `1..${results.length}`),
}

const xml = (text: string): string =>
  text
    // Characters that XML 1.0 can't express.
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll('"', "&quot;")

const seconds = (milliseconds: number): string => (milliseconds / 1_000).toFixed(3)

const junit: Format = {
  done: ({ durationMs, failed, results, skipped, suite }) => {
    const inner = ({ message, status }: Result): string => {
      if (status === "passed") return ""
      const text = xml(message ?? "")
      if (status === "skipped") return `<skipped message="${text}"/>`
      return `<failure message="${text.split("\n")[0]}">${text}</failure>`
    }
    const counts = `tests="${results.length}" failures="${failed}" skipped="${skipped}"`
    return [
      `<?xml version="1.0" encoding="UTF-8"?>`,
      `<testsuite name="${xml(suite)}" ${counts} time="${seconds(durationMs)}">`,
      ...results.map((result) => {
        const name = xml(`${result.id}: ${result.title}`)
        return `  <testcase classname="${xml(suite)}" name="${name}" time="${seconds(result.durationMs)}">${inner(result)}</testcase>`
      }),
      `</testsuite>`,
    ].join("\n")
  },
}

const json: Format = { done: (report) => JSON.stringify(report, null, 2) }

/** The formats by name. */
export const formats = { pretty, junit, tap, json } as const satisfies Readonly<Record<string, Format>>

/** `pretty` for people, `junit` and `tap` for test collectors, `json` for the {@link Report}. */
export type FormatName = keyof typeof formats
