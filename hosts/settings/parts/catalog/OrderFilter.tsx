import { type DateTime, Effect } from "effect"
import type { ComponentChildren } from "preact"
import { customizerIdOf } from "../../../../core/model/Ids.ts"
import { timeFields } from "../../Query.ts"
import { Visit } from "../../Visit.ts"
import { ListFilter } from "../ListFilter.tsx"
import { CustomizerField, type CustomizerProps } from "./CustomizerField.tsx"

/** The fields of a filter of orders, for `readFields`: a customizer, and times. */
export const orderFields = Effect.fnUntraced(function* (zone: DateTime.TimeZone) {
  const { customizer } = (yield* Visit).texts.production
  return { customizer: [customizer, customizerIdOf], ...(yield* timeFields(zone)) } as const
})

/** The filter of a list of orders, or of their lines: by time, customizer, and the fields before it. */
export const OrderFilter = ({
  children,
  zone,
  ...customizer
}: CustomizerProps & { readonly zone: DateTime.TimeZone; readonly children?: ComponentChildren }) => (
  <div class="card">
    <ListFilter visit={customizer.visit} zone={zone}>
      {children}
      <CustomizerField {...customizer} />
    </ListFilter>
  </div>
)
