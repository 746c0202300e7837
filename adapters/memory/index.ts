export { layer, layerShared, makeState, type State } from "./Memory.ts"
