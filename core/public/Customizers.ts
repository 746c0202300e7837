/** Configurable products and their definitions. */
export { publishCustomizer as publish } from "../usecases/customizers/PublishCustomizer.ts"
export { putCustomizer as put } from "../usecases/customizers/PutCustomizer.ts"
export { readCustomizer as get } from "../usecases/customizers/ReadCustomizer.ts"
