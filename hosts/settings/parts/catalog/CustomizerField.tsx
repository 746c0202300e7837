import { Effect } from "effect"
import { listCustomizers } from "../../../../core/usecases/catalog/ListCustomizers.ts"
import type { VisitProps } from "../../Visit.ts"
import { ChoiceField } from "../List.tsx"
import { cut } from "./Cut.ts"

/** Customizers in a list to choose from, and characters of a title, at most. */
const [mostChoices, longestTitle] = [40, 40]

/** A customizer by its title. */
export interface CustomizerChoice {
  readonly id: number
  readonly title: string
}

/** The customizers of a shop by their titles; `undefined` if they are too many for a list to choose from. */
export const customizerChoices = Effect.fnUntraced(function* (shop: string) {
  const found = yield* listCustomizers({ shop, after: 0, limit: mostChoices + 1 })
  if (found.length > mostChoices) return undefined
  return found
    .map(({ id, title }): CustomizerChoice => ({ id, title: cut(title, longestTitle) }))
    .toSorted((one, other) => one.title.localeCompare(other.title) || one.id - other.id)
})

/** The customizers to choose from, and the value of the field. */
export interface CustomizerProps extends VisitProps {
  readonly choices: ReadonlyArray<CustomizerChoice> | undefined
  readonly value: string
}

/** A field of a filter for one customizer: a list of titles, or a number if they are too many. */
export const CustomizerField = ({ choices, value, visit }: CustomizerProps) => {
  const { deliveryList, drafts, production } = visit.texts
  if (choices !== undefined && (value === "" || choices.some(({ id }) => String(id) === value))) {
    return (
      <ChoiceField
        name="customizer"
        label={production.customizer}
        any={deliveryList.filters.any}
        choices={choices.map(({ id, title }) => ({ value: String(id), text: title }))}
        value={value}
      />
    )
  }
  return (
    <div class="field">
      <label for="customizer">{drafts.customizer}</label>
      <input type="text" inputMode="numeric" id="customizer" name="customizer" value={value} />
    </div>
  )
}
