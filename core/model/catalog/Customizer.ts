import { Schema } from "effect"
import { CustomizerId } from "../Ids.ts"
import { noted } from "../Means.ts"
import { BaseUrl } from "../shops/Shop.ts"
import { storable } from "../Text.ts"
import { Definition } from "./Definition.ts"

const PlatformProductId = storable(1, 255).check(
  Schema.isPattern(/^gid:\/\/[^/\s]+\/Product\/[0-9]+$/, {
    expected: "gid://<platform>/Product/<numeric id>, e.g. gid://shopify/Product/8120001",
  }),
)

const description = {
  title: noted("1 to 255 characters.", storable(1, 255)),
  platformProductId: noted("`gid://<platform>/Product/<numeric id>`.", PlatformProductId),
  assetBase: noted("An absolute `http(s)` URL: the layers' paths are relative to it.", BaseUrl),
}

/** The description of a customizer, apart from its published definition. */
export const CustomizerInput = Schema.Struct(description).annotate({
  documentation: "The description of a customizer, apart from its definition.",
})
export type CustomizerInput = typeof CustomizerInput.Type

/**
 * A configurable product (§2.3): `version` counts published versions and is `null`, like `definition`,
 * until the first is published.
 */
export const Customizer = Schema.Struct({
  id: CustomizerId,
  title: description.title,
  status: Schema.Literals(["draft", "published"]),
  platformProductId: PlatformProductId,
  version: Schema.NullOr(Schema.Int),
  assetBase: BaseUrl,
  definition: Schema.NullOr(Definition),
}).annotate({ identifier: "Customizer" })
export type Customizer = typeof Customizer.Type

/** A definition as it is published. */
export interface PublishedDefinition {
  /** JSON text. */
  readonly definition: string
  /** Names that text: equal digests mean equal texts. */
  readonly digest: string
}

/** A customizer as it is kept: its definition is the published version's JSON text. */
export interface CustomizerRecord {
  readonly shop: string
  readonly id: number
  readonly title: string
  readonly platformProductId: string
  readonly assetBase: string
  /** The number of the published version; `null` if never published. */
  readonly version: number | null
  /** JSON text of that version. */
  readonly definition: string | null
  /** Names that text: equal digests mean equal texts. */
  readonly digest: string | null
}

/** The wire form (§2.3), fields in the order of the specification; the definition goes out as it was published. */
export const wire = (record: CustomizerRecord): string => {
  const head = JSON.stringify({
    id: record.id,
    title: record.title,
    status: record.version === null ? "draft" : "published",
    platformProductId: record.platformProductId,
    version: record.version,
    assetBase: record.assetBase,
  })
  return `${head.slice(0, -1)},"definition":${record.definition ?? "null"}}`
}
