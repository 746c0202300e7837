import { figuresOf } from "../../parts/Figures.ts"

const { figure } = figuresOf("en-GB")

const attempts = (number: number) => `${figure(number)} failed attempt${number === 1 ? "" : "s"}`

/** The texts of the figures and the chart of deliveries. */
export const activity = {
  title: "Activity",
  time: "Time",
  ranges: { "1h": "This hour and the last", "24h": "24 hours", "7d": "7 days", "30d": "30 days" },
  delivered: "Delivered",
  failedAttempts: "Failed attempts",
  retried: "Failed, tried again",
  givenUp: "Given up",
  median: "Median time",
  within: "95 % within",
  pending: "Pending now",
  sentence: (sum: { readonly succeeded: number; readonly failedAttempts: number; readonly givenUp: number }) =>
    [`${figure(sum.succeeded)} delivered`, attempts(sum.failedAttempts), `${figure(sum.givenUp)} given up`].join(", "),
  day: (sentence: string) => `Last 24 hours: ${sentence}`,
  asTable: "As a table",
  table: "Attempts by time",
  from: "From, in UTC",
  medianColumn: "Median",
  withinColumn: "95 %",
}
