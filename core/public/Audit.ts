/** Changes of a store's data: when, by whom, what. */
export { CurrentActor } from "../support/CurrentActor.ts"
export { listAudit as list } from "../usecases/ReadAudit.ts"
