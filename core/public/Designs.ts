/** What buyers configured. */
export { deleteDesign as delete } from "../usecases/designs/DeleteDesign.ts"
export { readDesign as get } from "../usecases/designs/ReadDesign.ts"
export { redactDesign as redact } from "../usecases/designs/RedactDesign.ts"
export { saveDesign as save } from "../usecases/designs/SaveDesign.ts"
