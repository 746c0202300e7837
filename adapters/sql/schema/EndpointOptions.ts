/** The options of each endpoint that were ever given (`core/model/webhooks/EndpointOptions.ts`). */
export const endpointOptions: ReadonlyArray<string> = [
  "ALTER TABLE designwire.endpoints ADD COLUMN options jsonb NOT NULL DEFAULT '{}'",
]
