/** Moves whose command, connections or servers are killed again and again. */
import type { Cleanup } from "../support/Cleanup.ts"
import { instant, pause } from "../support/Clock.ts"
import { note } from "../support/Main.ts"
import { type Finding, finding } from "../support/Report.ts"
import { percentiles } from "../support/Statistics.ts"
import { bucket, type Deployment, type Name, whereabouts } from "./Deployment.ts"
import { type Kill, kill, someKill, someMoment } from "./Kill.ts"
import { startStage } from "./Stage.ts"
import { verdict } from "./Verdict.ts"

/** The events so far. */
interface Counts {
  moves: number
  undone: number
  commands: number
  readonly kills: Record<Kill, number>
  /** Commands that succeeded and left the bucket in another database than they were to. */
  wrong: number
  /** Commands that were ended because they took longer than {@link longest}. */
  stalled: number
  /** How often a command failed, by the last line that it printed. */
  readonly failures: Record<string, number>
  /** Milliseconds of commands that nothing disturbed. */
  readonly undisturbed: Array<number>
}

/** Milliseconds after which a command is ended: nothing here takes as long. */
const longest = 180_000

const other = (name: Name): Name => (name === "first" ? "second" : "first")

/** Runs a command, and maybe kills something beside it. Returns whether it succeeded. */
const runOnce = async (deployment: Deployment, to: Name, isKilled: boolean, counts: Counts): Promise<boolean> => {
  const begun = instant()
  const command = deployment.command("bucket", "move", bucket, "--to", to)
  counts.commands++
  const limit = setTimeout(() => {
    counts.stalled++
    note(`A command stalls: ${command.printed().split("\n").at(-2)}`)
    command.child.kill("SIGKILL")
  }, longest)
  let isDisturbed = false
  if (isKilled) {
    const usual = counts.undisturbed.toSorted((one, next) => one - next).at(counts.undisturbed.length / 2) ?? 3_000
    await Promise.race([someMoment(deployment, command, usual), command.ended])
    if (command.child.exitCode === null) {
      const kind = someKill()
      isDisturbed = true
      counts.kills[kind]++
      await kill(kind, command, deployment)
    }
  }
  const { code, printed } = await command.ended
  clearTimeout(limit)
  if (code === 0 && !isDisturbed) counts.undisturbed.push(instant() - begun)
  if (code !== 0 && code !== null) {
    const reason = `${printed.trim().split("\n").at(-1)}`
    counts.failures[reason] = (counts.failures[reason] ?? 0) + 1
  }
  return code === 0
}

/** How this part runs. */
export interface KillOptions {
  readonly moves: number
  readonly kills: number
  /** Rows in the bucket, about. */
  readonly rows: number
}

/** Many tables are copied at once, and replication goes on a second after a lost connection, instead of five. */
const quickly = [
  ...["max_worker_processes=40", "max_logical_replication_workers=30", "max_sync_workers_per_subscription=8"],
  ...["max_replication_slots=40", "max_wal_senders=40", "wal_retrieve_retry_interval=1s"],
]

/** Tries after which a command is taken to fail for ever. */
const mostTries = 60

/** Moves the bucket there and back, each time until a command succeeds. */
const moveAll = async (deployment: Deployment, { kills, moves }: KillOptions): Promise<Counts> => {
  const counts: Counts = {
    ...{ moves: 0, undone: 0, commands: 0, wrong: 0, stalled: 0, failures: {}, undisturbed: [] },
    kills: { command: 0, connections: 0, server: 0 },
  }
  const killed = () => counts.kills.command + counts.kills.connections + counts.kills.server
  for (let at: Name = "first"; counts.moves < moves || killed() < kills; ) {
    let to = other(at)
    for (let tries = 1; ; tries++) {
      const isDue = killed() < (kills * (counts.moves + 1)) / moves
      if (await runOnce(deployment, to, isDue && counts.commands > 0, counts)) break
      if (tries === mostTries) throw new Error(`The move failed: ${JSON.stringify(counts.failures)}`)
      // Now and then, someone changes their mind.
      if (Math.random() < 0.1) to = other(to)
      await pause(500 * Math.random())
    }
    const { database, phase } = await whereabouts(deployment)
    if (database !== to || phase !== null) counts.wrong++
    if (database === at) counts.undone++
    else counts.moves++
    at = database
    note(`  ${counts.moves} moves, ${JSON.stringify(counts.kills)}, ${counts.commands} commands`)
  }
  return counts
}

/** Moves, kills and checks. */
export const measureKills = async (cleanup: Cleanup, options: KillOptions): Promise<ReadonlyArray<Finding>> => {
  const stage = await startStage(cleanup, {
    rows: options.rows,
    pace: { writers: 3, perSecond: 20, atOnce: 1 },
    settings: quickly,
  })
  await stage.host.begin()
  note(`${options.moves} moves with ${options.kills} kills`)
  const begun = instant()
  const { undisturbed, ...counts } = await moveAll(stage.deployment, options)
  const seconds = (instant() - begun) / 1_000
  const result = await stage.host.end()
  note("Checking")
  const { arrivals, findings } = await verdict(stage, result)
  const { writes } = result
  const times = writes.map(({ begun, done }) => done - begun)
  const details = {
    ...counts,
    undisturbed: percentiles(undisturbed),
    seconds,
    acknowledged: writes.length,
    unknown: writes.reduce((sum, { unknown }) => sum + unknown, 0),
    unknownButStored: writes.filter(({ found }) => found).length,
    waits: { ...percentiles(times), longest: Math.max(0, ...times) },
    writeFailures: result.failures,
    sentTwice: [...arrivals.values()].filter(({ times }) => times > 1).length,
  }
  note(JSON.stringify(details))
  const title = "commands that succeeded with the bucket elsewhere"
  return [
    finding(title, "commands", { designwire: counts.wrong }, { most: 0 }, details),
    finding("commands that stalled", "commands", { designwire: counts.stalled }, { most: 0 }),
    ...findings,
  ]
}
