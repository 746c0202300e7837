import { Schema } from "effect"
import { DesignId } from "../Ids.ts"
import { Timestamp } from "../Instant.ts"
import { means } from "../Means.ts"
import { Pagination } from "../Page.ts"
import { Design } from "./Design.ts"

/** A page of drafts, those saved last first. */
export const DraftPage = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({
      id: means("The design's id", DesignId),
      savedAt: means("When the draft was last saved", Timestamp),
      design: Design,
    }),
  ),
  pagination: Pagination,
}).annotate({ identifier: "DraftPage", documentation: "A page of drafts, those saved last first." })
export type DraftPage = typeof DraftPage.Type
