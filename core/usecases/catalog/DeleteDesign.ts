import { Effect } from "effect"
import { DesignFrozen } from "../../model/Errors.ts"
import { quoteId } from "../../model/json/Json.ts"
import { KeptAnswers } from "../../ports/KeptAnswers.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import * as AuditRules from "../../rules/audit/AuditRules.ts"
import * as DesignState from "../../rules/catalog/DesignState.ts"
import { logEntry, newOccasion } from "../../support/Auditing.ts"
import { makeRedact, redactedEventsOf } from "../../support/Redacting.ts"
import { retryStale } from "../../support/RetryStale.ts"
import { designOf } from "../../support/ShopRecords.ts"

/**
 * Deletes a draft, and in the same step replaces the buyer's texts and uploads by `[redacted]` in the kept events that
 * contain it (D43): they stay in the feed and the log. Nothing is sent, and it can't be undone. Its id is free again.
 *
 * Fails with `NotFound`, with `DesignFrozen` if the design is ordered or cancelled, and with `Conflict` if the caller's
 * transaction lost a race with another change.
 */
export const deleteDesign = Effect.fn("DeleteDesign.deleteDesign")(
  function* (shopId: string, id: string) {
    const { design, shop } = yield* designOf(shopId, id)
    if (!DesignState.canDelete(design.status)) {
      return yield* new DesignFrozen({
        message: `The design ${quoteId(id)} is ${design.status} and can't be deleted: redact it to remove its texts`,
      })
    }
    const events = yield* redactedEventsOf(shop.id, design.id, yield* makeRedact(shop.id))
    // Before the draft goes: a deletion that fails afterwards can be repeated.
    yield* KeptAnswers.use((answers) => answers.eraseTexts(shop.id))
    const audit = AuditRules.done(yield* newOccasion, shop.id, "design.deleted", { type: "design", id: design.id })
    yield* OrderStore.use((store) =>
      store.remove({ shop: shop.id, id: design.id, revision: design.revision, events, audit }),
    )
    yield* logEntry(audit)
  },
  (effect) => retryStale(effect),
)
