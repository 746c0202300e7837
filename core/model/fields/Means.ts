import type { Schema } from "effect"

/** A field's schema with its meaning, for the OpenAPI document and for the settings app's catalogue of events. */
export const means = <S extends Schema.Top>(description: string, schema: S): S["Rebuild"] =>
  schema.annotate({ description })
