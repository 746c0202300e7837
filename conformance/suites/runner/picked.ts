import { Context } from "effect"
import type { Calls } from "./Calls.ts"

/** The name of a port, without the package name. */
export const portName = ({ key }: { readonly key: string }): string => key.slice("designwire/".length)

/**
 * The subject's ports with these names, with recorded calls. A case uses only the ports that it names, so for the case
 * these are all ports.
 */
export const picked = <R>(
  subject: Context.Context<never>,
  names: ReadonlyArray<string>,
  calls: Calls,
  where = "",
): Context.Context<R> =>
  Context.makeUnsafe(
    new Map(
      [...subject.mapUnsafe]
        .filter(([key]) => names.includes(portName({ key })))
        .map(([key, service]) => [key, calls.watch(service, portName({ key }), where)]),
    ),
  )
