import type { Shop } from "../../../core/model/Shop.ts"
import type { Cleanup } from "../support/Cleanup.ts"
import { start } from "../support/Processes.ts"
import type { Followed } from "./Follower.ts"
import type { Log, Pace } from "./Writers.ts"

/** A message to the host. */
export type HostMessage = "begin" | "end"

/** The work of a host's writers and followers. */
export interface HostResult extends Log {
  /** By shop. */
  readonly feeds: ReadonlyArray<Followed>
  /** The same feeds, read once more at the end. */
  readonly again: ReadonlyArray<Followed>
}

/** A host in a separate process. */
export interface Host {
  readonly begin: () => Promise<void>
  /** Ends writing, and waits until everything is acknowledged and read. */
  readonly end: () => Promise<HostResult>
}

/** Starts a host. */
export const startHost = async (
  environment: Readonly<Record<string, string>>,
  shops: ReadonlyArray<Shop>,
  pace: Pace,
  cleanup: Cleanup,
): Promise<Host> => {
  const settings = { ...environment, SHOPS: JSON.stringify(shops), PACE: JSON.stringify(pace) }
  const child = start<HostMessage>(new URL("./hostProcess.ts", import.meta.url), settings, cleanup)
  await child.answer()
  return { begin: () => child.ask("begin"), end: () => child.ask("end") }
}
