/** Records the statements that a host sends, from its side of the wire to Postgres. */

/** The statements sent, and in which kind of transaction. */
export class StatementLog {
  /**
   * Every text that was executed, without what differs from call to call, and the test that first did. A text within a
   * transaction comes with the first statement of that transaction, which identifies the kind of transaction.
   */
  readonly statements = new Map<string, string>()
  readonly #test: () => string

  constructor(test: () => string) {
    this.#test = test
  }

  /** Reads what a connection sends, in the order in which it is called. */
  connection(): (sent: Buffer) => void {
    return executed(this.#session())
  }

  #session(): (text: string) => void {
    let begun = false
    let beginning: string | undefined
    const add = (statement: string) => {
      if (!this.statements.has(statement)) this.statements.set(statement, this.#test())
    }
    return (text) => {
      const statement = generalized(text)
      if (statement === "BEGIN") {
        begun = true
        beginning = undefined
      } else if (statement === "COMMIT" || statement === "ROLLBACK") {
        begun = false
      } else if (begun) {
        beginning ??= statement
        add(`${beginning}\n  with ${statement}`)
      } else add(statement)
    }
  }
}

/** Reads what a connection sends, in the order in which it is called, and calls `run` with each statement. */
export const executed = (run: (text: string) => void): ((sent: Buffer) => void) => {
  const texts = new Map<string, string>()
  const portals = new Map<string, string>()
  return messages((type, body) => {
    const [first = "", second = ""] = body.toString("utf8").split("\0", 2)
    if (type === "Q") run(first)
    if (type === "P") texts.set(first, second)
    if (type === "B") portals.set(first, second)
    if (type === "E") run(texts.get(portals.get(first) ?? "") ?? "")
  })
}

/**
 * A text without the number of its parameters, without literals, and without the notification of workers: whether a
 * commit has one depends on the time since the last one.
 */
const generalized = (text: string): string =>
  text
    .replaceAll(/'[^']*'/g, "''")
    .replaceAll(/pg_notify\('', \$\d+\) IS NOT NULL/g, "false")
    .replaceAll(/\$\d+/g, "$")
    .replaceAll(/\d+/g, "0")
    .replaceAll(/\$(, ?\$)+/g, "$")
    .replaceAll(/\(\$\)(, ?\(\$\))+/g, "($)")
    .replaceAll(/\s+/g, " ")
    .trim()

/** Splits what a client sends into messages of the protocol, version 3. */
const messages = (receive: (type: string, body: Buffer) => void) => {
  let rest = Buffer.alloc(0)
  // The first message has no type.
  let begun = false
  return (sent: Buffer) => {
    rest = Buffer.concat([rest, sent])
    for (;;) {
      const head = begun ? 1 : 0
      if (rest.length < head + 4) return
      const end = head + rest.readInt32BE(head)
      if (rest.length < end) return
      if (begun) receive(String.fromCharCode(rest[0] ?? 0), rest.subarray(5, end))
      begun = true
      rest = rest.subarray(end)
    }
  }
}
