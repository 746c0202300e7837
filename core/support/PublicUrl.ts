import { Context } from "effect"

/** The public address of the REST API, with or without `{shop}`. Default: none is known. */
export const PublicUrl = Context.Reference<string | undefined>("designwire/PublicUrl", {
  defaultValue: () => undefined,
})
