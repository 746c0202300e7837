import { Context, type Effect } from "effect"
import type { Instant } from "../model/Instant.ts"
import type { StorageError } from "./StorageError.ts"

/** The id that marks a shop whose checklist for new stores is done or was hidden. */
export const setUpMark = "set up"

/**
 * Which sessions of the settings app have ended, and which of its links were used: what every process must know about
 * them. Everything else of a session is in its cookie.
 *
 * Callers guarantee a `shop` that is a store's id, or `""` for sessions of every store. Adapters guarantee: what a call
 * has stored is seen by every later call on every host; what has reached its `until` need not be kept; the marks of a
 * removed shop go with it.
 */
export class SettingsSessions extends Context.Service<
  SettingsSessions,
  {
    /**
     * Whether a session was ended (`spend` with its id), and the epoch of its owner: 0 if `endAll` was not called for
     * the owner. A session counts only while the epoch is the one that it began with, or an earlier one. Called for
     * every page: one short read.
     */
    readonly standing: (query: {
      readonly shop: string
      readonly owner: string
      readonly session: string
    }) => Effect.Effect<{ readonly isEnded: boolean; readonly epoch: number }, StorageError>

    /**
     * Marks an id as used, at least until `until`. Returns whether it was not before: of any calls for one id, exactly
     * one returns true.
     */
    readonly spend: (use: {
      readonly shop: string
      readonly id: string
      readonly until: Instant
    }) => Effect.Effect<boolean, StorageError>

    /**
     * Ends all sessions of an owner: gives the owner a later epoch, at least until `until`. An epoch is `now`, or the
     * one after the owner's current epoch if that is later, so that epochs grow even after a store has dropped one.
     */
    readonly endAll: (end: {
      readonly shop: string
      readonly owner: string
      readonly now: Instant
      readonly until: Instant
    }) => Effect.Effect<void, StorageError>
  }
>()("designwire/SettingsSessions") {}
