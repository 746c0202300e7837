import { inFile, type Mutant } from "../../Mutant.ts"

/** Faults in pages of deliveries over all endpoints. */
export const search: ReadonlyArray<Mutant> = inFile("memory", "adapters/memory/DeliverySearch.ts", [
  {
    id: "search.ties",
    find: "compare(placeOf(delivery), after) > 0",
    replace: "compare({ ...placeOf(delivery), id: after.id }, after) > 0",
    caughtBy: ["search.page", "search.pending"],
  },
  {
    id: "search.claimed",
    find: "delivery.token === null ? null : delivery.leasedUntil",
    replace: "delivery.leasedUntil",
    caughtBy: ["search.claimed"],
  },
  {
    id: "search.design",
    find: "subject.design === about.design",
    replace: "subject.order === about.design",
    caughtBy: ["search.events"],
  },
])
