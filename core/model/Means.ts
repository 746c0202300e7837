import type { Schema } from "effect"

/** A field's schema with its meaning, for the OpenAPI document and for the settings app's catalogue of events. */
export const means = <S extends Schema.Top>(description: string, schema: S): S["Rebuild"] =>
  schema.annotate({ description })

/** A schema with the doc comment that its type or field has in `designwire/embed`. */
export const noted = <S extends Schema.Top>(documentation: string, schema: S): S["Rebuild"] =>
  schema.annotate({ documentation })

/** A schema whose type `designwire/embed` exports under a name, and the type's doc comment. */
export const named = <S extends Schema.Top>(typeName: string, documentation: string, schema: S): S["Rebuild"] =>
  schema.annotate({ typeName, documentation })
