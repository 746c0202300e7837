/** The table of settings in the guide of the command, made from their declarations. */
import { type Item, listItems } from "../../hosts/embed/ConfigItem.ts"
import { items } from "../../hosts/embed/ConfigItems.ts"
import { paddedTable } from "./PaddedTable.ts"

/** Every setting, in the order in which the guide lists them. */
export const allSettings: ReadonlyArray<Item<unknown>> = listItems(items)

const isNothing = (value: unknown): boolean => value === undefined || (Array.isArray(value) && value.length === 0)

const usualOf = ({ fallback, shown }: Item<unknown>): string =>
  shown ?? (isNothing(fallback) ? "none" : `\`${fallback}\``)

/** The name, the usual value and the words of each, in Markdown. */
export const settingsTable = (): string =>
  paddedTable([
    ["name", "default", "meaning"],
    ...allSettings.map((item) => [`\`${item.variable}\``, usualOf(item), item.words]),
  ])

/** The guide with this table in the place of the one that it has. */
export const withSettings = (guide: string): string =>
  guide.replace(/^\| name +\| default +\| meaning +\|\n(\|.*\n)+/m, () => `${settingsTable()}\n`)
