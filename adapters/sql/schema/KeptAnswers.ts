/** Answers to requests with a key, for 24 hours (D49). */
export const keptAnswers = [
  `CREATE TABLE designwire.kept_answers (
  shop text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  request text NOT NULL,
  answer text,
  has_texts boolean NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (shop, key)
)`,
  "CREATE INDEX kept_answers_ended ON designwire.kept_answers (until)",
]
