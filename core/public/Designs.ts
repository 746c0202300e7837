/** What buyers configured. */
export { deleteDesign as delete } from "../usecases/catalog/DeleteDesign.ts"
export { readDesign as get } from "../usecases/catalog/ReadDesign.ts"
export { redactDesign as redact } from "../usecases/catalog/RedactDesign.ts"
export { saveDesign as save } from "../usecases/catalog/SaveDesign.ts"
