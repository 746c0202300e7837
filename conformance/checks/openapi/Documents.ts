/** The OpenAPI documents, as hosts serve them. */
import { OpenApi } from "effect/http-api"
import { contractAt } from "../../../core/api/Contract.ts"
import { type Examples, withExamples } from "../../../core/api/Examples.ts"
import restExamples from "../../../core/api/examples.json" with { type: "json" }
import { Contract as Manage } from "../../../hosts/manage/Contract.ts"
import manageExamples from "../../../hosts/manage/examples.json" with { type: "json" }
import type { Document } from "./Operations.ts"

const rest = contractAt("/api/v1")

/** The documents without examples. */
export const plainDocuments = {
  rest: OpenApi.fromApi(rest) as unknown as Document,
  manage: OpenApi.fromApi(Manage) as unknown as Document,
}

/** The name of an API. */
export type ApiName = keyof typeof plainDocuments

/** As served at `/openapi.json` and `/manage/openapi.json`. */
export const documents: Readonly<Record<ApiName, Document>> = {
  rest: OpenApi.fromApi(withExamples(rest, restExamples as Examples)) as unknown as Document,
  manage: OpenApi.fromApi(withExamples(Manage, manageExamples as Examples)) as unknown as Document,
}
