/** Known names for requests. */
export interface Known {
  /** Prefix of the REST API. */
  readonly prefix: string
  readonly tokens: ReadonlyArray<string>
  /** Paths of existing objects. */
  readonly paths: ReadonlyArray<string>
  readonly etags: ReadonlyArray<string>
  readonly cursors: ReadonlyArray<string>
}
