/** Marks of sessions of the settings app: used ids, and epochs of their owners (D58). */
export const settingsMarks: ReadonlyArray<string> = [
  `CREATE TABLE designwire.settings_marks (
  shop text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  epoch bigint NOT NULL,
  until timestamptz(3) NOT NULL,
  PRIMARY KEY (shop, id)
)`,
  "CREATE INDEX settings_marks_ended ON designwire.settings_marks (until)",
]
