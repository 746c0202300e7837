import { Context } from "effect"
import type { Calls } from "./Calls.ts"

/** The name of a port, without that of the package. */
export const portName = ({ key }: { readonly key: string }): string => key.slice("designwire/".length)

/**
 * The ports of these names that a subject offers, with their calls watched. A case asks for none but those that it names, so it may take the answer for
 * all that there are.
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
