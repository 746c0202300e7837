/** What buyers configured. */
export { readDesign as get } from "../usecases/designs/ReadDesign.ts"
export { saveDesign as save } from "../usecases/designs/SaveDesign.ts"
