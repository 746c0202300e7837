/** Configurable products and their definitions. */
export { publishCustomizer as publish } from "../usecases/PublishCustomizer.ts"
export { putCustomizer as put } from "../usecases/PutCustomizer.ts"
export { readCustomizer as get } from "../usecases/ReadCustomizer.ts"
