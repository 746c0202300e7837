/** Shops are searched by the beginning of their domain, whatever the collation of the database. */
export const shopDomains: ReadonlyArray<string> = [`CREATE INDEX shops_domain ON designwire.shops (domain COLLATE "C")`]
