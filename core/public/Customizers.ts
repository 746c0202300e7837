/** Configurable products and their definitions. */
export { publishCustomizer as publish } from "../usecases/catalog/PublishCustomizer.ts"
export { putCustomizer as put } from "../usecases/catalog/PutCustomizer.ts"
export { readCustomizer as get } from "../usecases/catalog/ReadCustomizer.ts"
