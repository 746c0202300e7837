import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as Errors from "../../../core/api/Errors.ts"
import { exportFormats, exportKinds } from "../../../core/model/orders/Export.ts"
import { describe, readErrors, shop } from "./Common.ts"

const parameter = (name: string, required: boolean, schema: object) => ({ name, in: "query", required, schema })

const parameters = [
  parameter("kind", true, {
    type: "string",
    enum: exportKinds,
    description: "Orders with their designs, or single designs, drafts included",
  }),
  parameter("since", false, {
    type: "string",
    description: "Only orders placed, or designs created, at this time or later: a date-time, or a date in UTC",
  }),
  parameter("format", false, {
    type: "string",
    enum: exportFormats,
    default: "jsonl",
    description: "`jsonl`: the objects of the REST API, one on each line. `csv`: a line for each design",
  }),
]

/** The types of an export, by its format. */
export const exportTypes = { jsonl: "application/jsonl", csv: "text/csv" } as const

const text = { schema: { type: "string" } }

/** The content of a shop as one answer. */
export const exports = HttpApiGroup.make("export")
  .add(
    HttpApiEndpoint.get("exportShop", "/shops/:shop/export", {
      params: shop,
      success: Schema.String,
      error: [Errors.InvalidInput, ...readErrors],
    })
      .annotateMerge(
        describe(
          "Export orders or designs",
          "All orders of a shop, newest first, or all its designs, by id, as one answer that is sent while it is read. An",
          "answer that ends with its connection broken off is not whole. With `csv` there is a column for each production",
          "key of the shop's customizers, and a text that a spreadsheet would run as a formula has an apostrophe in front.",
        ),
      )
      // The use case reads the parameters: it says more about them than a schema can.
      .annotate(OpenApi.Transform, (operation) => ({
        ...operation,
        parameters: [...((operation["parameters"] as ReadonlyArray<unknown>) ?? []), ...parameters],
        responses: {
          ...(operation["responses"] as object),
          "200": {
            description: "The lines of the export",
            content: Object.fromEntries(Object.values(exportTypes).map((type) => [type, text])),
          },
        },
      })),
  )
  .annotateMerge(OpenApi.annotations({ title: "Export", description: "The content of a shop, as a file." }))
