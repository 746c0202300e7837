/** Kills beside a move. */
import { instant, pause } from "../support/Clock.ts"
import { type Command, type Deployment, names, whereabouts } from "./Deployment.ts"

/** Target of a kill: the command, all connections of a server, or a server. */
export type Kill = "command" | "connections" | "server"

const anyOf = <A>(list: readonly [A, ...ReadonlyArray<A>]): A =>
  list[Math.floor(Math.random() * list.length)] ?? list[0]

/** Mostly the command. */
export const someKill = (): Kill => {
  const chance = Math.random()
  if (chance < 0.7) return "command"
  return chance < 0.9 ? "connections" : "server"
}

/** Kills, and starts a killed server again. */
export const kill = async (kind: Kill, { child }: Command, { servers, sql }: Deployment): Promise<void> => {
  if (kind === "command") return void child.kill("SIGKILL")
  const name = anyOf(names)
  if (kind === "server") return servers[name].crash()
  await sql[name]`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE pid <> pg_backend_pid() AND backend_type IN ('client backend', 'walsender', 'logical replication worker',
      'logical replication apply worker', 'logical replication tablesync worker')`.catch(() => undefined)
}

/** Waits for some moment of a command: any, or one when the bucket is being switched. */
export const someMoment = async (deployment: Deployment, command: Command, milliseconds: number): Promise<void> => {
  if (Math.random() < 0.6) return pause(Math.random() * milliseconds)
  const until = instant() + 20_000
  while (command.child.exitCode === null && instant() < until) {
    const row = await whereabouts(deployment).catch(() => undefined)
    if (row?.phase === "switching") return pause(Math.random() * 300)
    await pause(5)
  }
}
