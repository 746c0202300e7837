import type { Bar } from "./Bars.ts"
import type { Count } from "./Counts.ts"

type Bars = Readonly<Record<Count["bar"], Bar>>

/** Places that a failure lists. */
const placesListed = 20

const rounded = (value: number): string => String(Math.round(10 * value) / 10)

/** All counts with their limits and goals, as a table. */
export const tableOf = (counts: ReadonlyArray<Count>, bars: Bars): string =>
  [["count", "limit", "goal", ""], ...counts.map((count) => rowOf(count, bars[count.bar]))]
    .map(([value = "", limit = "", goal = "", title = ""]) =>
      `${[value, limit, goal].map((text) => text.padStart(7)).join(" ")}  ${title}`.trimEnd(),
    )
    .join("\n")

const rowOf = ({ bar, title, value }: Count, { goal, limit }: Bar): ReadonlyArray<string> => [
  ...[value, limit, goal].map(rounded),
  `${title} (${bar})`,
]

/** A message for each count that is above its limit. */
export const failuresOf = (counts: ReadonlyArray<Count>, bars: Bars): ReadonlyArray<string> =>
  counts
    .filter(({ bar, value }) => value > bars[bar].limit)
    .map(({ bar, places, title, value }) => {
      const all = places()
      const rest = all.length - placesListed
      return [
        `Too high: ${rounded(value)} ${title}. The limit is ${bars[bar].limit} (conformance/checks/form/Bars.ts).`,
        ...all.slice(0, placesListed).map((place) => `  ${place}`),
        ...(rest > 0 ? [`  and ${rest} more: npm run check:form -- --show ${bar}`] : []),
      ].join("\n")
    })
