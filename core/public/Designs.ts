/** What buyers configured. */
export { readDesign as get } from "../usecases/ReadDesign.ts"
export { saveDesign as save } from "../usecases/SaveDesign.ts"
