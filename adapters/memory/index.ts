export { layer, layerShared, type MemoryPorts, makeState, type State } from "./Memory.ts"
