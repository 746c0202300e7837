/** Cells: whole deployments side by side, and the way of a shop from one to another. */
export { type CellShops, listShops } from "./ListShops.ts"
export { type Cell, MoveError } from "./Move.ts"
export { checkMove, moveShop } from "./MoveShop.ts"
export { layerPlaced } from "./Placement.ts"
export type { MoveProgress } from "./Replication.ts"
export { undoMove } from "./UndoMove.ts"
