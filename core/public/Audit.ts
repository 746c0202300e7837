/** Changes of a store's data: when, by whom, what. */
export { listAudit as list } from "../usecases/audit/ReadAudit.ts"
