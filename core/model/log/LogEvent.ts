import { Effect } from "effect"

/** The name of a kind of log line. It stays the same if the text of the line changes (hosts/cli/OPERATING.md). */
export type LogEvent =
  | `audit.${"changed"}`
  | `cells.${"map_unreadable" | "maybe_closed" | "slots_left" | "waits"}`
  | `clock.${"apart" | "together"}`
  | `config.${"unknown_variable" | "unusable_variable"}`
  | `database.${"waiting"}`
  | `deliveries.${"clear_failed" | "defect" | "release_failed" | "settle_failed" | "settle_given_up" | "store_failed"}`
  | `deliveries.${"look_failed" | "not_lined_up" | "unsigned"}`
  | `drafts.${"clear_failed"}`
  | `http.${"change_too_late" | "request" | "request_failed" | "store_failed" | "limit_reached" | "unanswered"}`
  | `inbox.${"failed" | "full" | "not_applied" | "waiting"}`
  | `listen.${"again" | "check_failed" | "lost" | "not_heard"}`
  | `metrics.${"store_failed"}`
  | `migration.${"waits"}`
  | `notices.${"raised" | "send_failed" | "store_failed"}`
  | `orders.${"count_failed"}`
  | `platform.${"disconnected" | "found" | "key_refused" | "not_asked" | "not_reconciled" | "webhooks_missing"}`
  | `platform.${"not_resumed" | "secret_unopened" | "unknown_domain" | "wrong_domain"}`
  | `secrets.${"check_failed" | "unopened"}`
  | `server.${"management" | "ready"}`
  | `settings.${"changed" | "link_made"}`
  | `shops.${"clear_failed"}`
  | `signals.${"notify_failed"}`
  | `store.${"failing" | "not_ready" | "ready_again" | "recovered" | "replaced"}`
  | `tokens.${"use_unrecorded"}`
  | `webhooks.${"proxy_fault" | "url_refused"}`
  | `worker.${"listening" | "ready"}`

/** Names the log lines of an effect, with fields for programs that read them. Fields must not contain secrets. */
export const logged = (event: LogEvent, fields?: Readonly<Record<string, string | number | null | undefined>>) =>
  Effect.annotateLogs({ event, ...fields })
