/** The end of each token, and its scopes: all if it was stored without. */
export const tokenScopes: ReadonlyArray<string> = [
  "ALTER TABLE designwire.tokens ADD COLUMN expires_at timestamptz(3), ADD COLUMN scopes text[]",
]
