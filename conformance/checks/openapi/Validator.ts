/** Whether JSON fits what a document says of it. */
import { Ajv2020 } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import type { Json } from "../../../core/model/json/Json.ts"
import type { Document } from "./Operations.ts"

/** Returns what is wrong with a value, or nothing if it fits. */
export type Misfits = (schema: Json, value: unknown) => ReadonlyArray<string>

/** The reference of every schema of the document, within a file of that name. */
const absolute = (schema: Json): Json =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/')) as Json

/** Makes what checks values by the schemas of a document. */
export const makeValidator = (document: Document): Misfits => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema({ $id: "document", components: { schemas: document.components["schemas"] } })
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>()
  return (schema, value) => {
    const key = JSON.stringify(schema)
    const check = compiled.get(key) ?? ajv.compile(absolute(schema))
    compiled.set(key, check)
    return check(value) ? [] : (check.errors ?? []).map((error) => `${error.instancePath || "/"} ${error.message}`)
  }
}
