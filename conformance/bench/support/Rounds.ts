/**
 * Runs entries alternately, round after round, so that other load affects all of them alike; each round starts with
 * another one. The first `warmUp` rounds are not counted. Returns the results of the following `rounds` rounds by entry
 * name.
 */
export const alternate = async <Entry extends { readonly name: string }, Result>(
  entries: ReadonlyArray<Entry>,
  { rounds, warmUp }: { readonly rounds: number; readonly warmUp: number },
  run: (entry: Entry, round: number) => Promise<Result>,
): Promise<ReadonlyMap<string, ReadonlyArray<Result>>> => {
  const results = new Map<string, Array<Result>>(entries.map(({ name }) => [name, []]))
  for (let round = 0; round < warmUp + rounds; round++) {
    for (let turn = 0; turn < entries.length; turn++) {
      const entry = entries[(turn + round) % entries.length] as Entry
      const result = await run(entry, round)
      if (round >= warmUp) results.get(entry.name)?.push(result)
    }
  }
  return results
}
