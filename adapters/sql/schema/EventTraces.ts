/** The trace of each event, which its deliveries continue (D70). Null for events without one: no row is rewritten. */
export const eventTraces: ReadonlyArray<string> = ["ALTER TABLE designwire.events ADD COLUMN trace text"]
