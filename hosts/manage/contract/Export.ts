import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Errors from "../../../core/api/Errors.ts"
import type { Json } from "../../../core/model/Json.ts"
import { describe, readErrors, shop } from "./Common.ts"

const parameter = (name: string, required: boolean, schema: object) => ({ name, in: "query", required, schema })

const parameters = [
  parameter("kind", true, { type: "string", enum: ["orders", "designs"], description: "What to export" }),
  parameter("since", false, {
    type: "string",
    description: "Only orders placed, or designs made, at this time (RFC 3339) or date, or later",
  }),
  parameter("format", false, {
    type: "string",
    enum: ["jsonl", "csv"],
    default: "jsonl",
    description: "JSON lines, each an object of the REST API, or CSV with a line per design",
  }),
]

const [jsonl, csv] = ["application/jsonl", "text/csv"] as const

const text = { schema: { type: "string" } }

/** The media types of exports. */
export const exportTypes = { jsonl, csv: `${csv}; charset=utf-8` } as const

/** Orders and designs as a whole. */
export const exports = HttpApiGroup.make("export")
  .add(
    HttpApiEndpoint.get("exportShop", "/shops/:shop/export", {
      params: shop,
      success: HttpApiSchema.StreamUint8Array({ contentType: [jsonl, csv] }),
      error: [Errors.InvalidInput, ...readErrors],
    })
      .annotateMerge(
        describe(
          "Export orders or designs",
          "All orders of the shop, newest first, or all its designs, the oldest first, as a stream. JSON lines are the",
          "objects of the REST API to the byte. CSV has a line per design, with a column `production.KEY` for each key of",
          "production data that any published version of a customizer has. The order of an export is fixed; what is",
          "stored while it is written may be missing. If the export can't be completed, the connection breaks. At most 4",
          "exports are written at a time, 2 of them of one shop: a further one is 503.",
        ),
      )
      // The use case reads the parameters: it says more about them than a schema can.
      .annotate(OpenApi.Transform, (operation) => ({
        ...operation,
        parameters: [...((operation["parameters"] as ReadonlyArray<unknown>) ?? []), ...parameters],
        responses: {
          ...(operation["responses"] as Json),
          "200": { description: "The whole export, as a stream", content: { [jsonl]: text, [csv]: text } },
        },
      })),
  )
  .annotateMerge(OpenApi.annotations({ title: "Export", description: "All orders or designs of a shop." }))
