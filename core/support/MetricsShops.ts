import { Context } from "effect"

/** The shops that have metrics of their own. Default: none, as each shop costs a dozen time series. */
export const MetricsShops = Context.Reference<ReadonlySet<string>>("designwire/MetricsShops", {
  defaultValue: () => new Set(),
})
