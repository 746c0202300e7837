/** All storage ports in one process: for tests, examples and trying things out. Nothing survives the process. */
import { Context, Layer } from "effect"
import { AuditStore } from "../../core/ports/AuditStore.ts"
import { CustomizerStore } from "../../core/ports/CustomizerStore.ts"
import { DeliveryLog } from "../../core/ports/DeliveryLog.ts"
import { DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
import { DeliverySignal } from "../../core/ports/DeliverySignal.ts"
import { EndpointStore } from "../../core/ports/EndpointStore.ts"
import { EventStore } from "../../core/ports/EventStore.ts"
import { Inbox } from "../../core/ports/Inbox.ts"
import { KeptAnswers } from "../../core/ports/KeptAnswers.ts"
import { NoticeStore } from "../../core/ports/NoticeStore.ts"
import { OrderStore } from "../../core/ports/OrderStore.ts"
import { RateLimits } from "../../core/ports/RateLimits.ts"
import { SettingsSessions } from "../../core/ports/SettingsSessions.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import { TokenStore } from "../../core/ports/TokenStore.ts"
import { Upkeep } from "../../core/ports/Upkeep.ts"
import * as Limits from "./access/RateLimits.ts"
import * as Sessions from "./access/SettingsSessions.ts"
import * as Tokens from "./access/Tokens.ts"
import * as Audit from "./audit/Audit.ts"
import * as Customizers from "./catalog/Customizers.ts"
import * as Events from "./events/Events.ts"
import * as Inboxes from "./ingest/Inbox.ts"
import * as Orders from "./orders/Orders.ts"
import { makeState, type State } from "./State.ts"
import * as Answers from "./shops/KeptAnswers.ts"
import * as Shops from "./shops/Shops.ts"
import * as Keeping from "./Upkeep.ts"
import * as Log from "./webhooks/DeliveryLog.ts"
import * as Queue from "./webhooks/DeliveryQueue.ts"
import * as Endpoints from "./webhooks/Endpoints.ts"
import * as Notices from "./webhooks/Notices.ts"
import * as Signals from "./webhooks/Signals.ts"

export { makeState, type State } from "./State.ts"

/** One host's view of a store. Layers of the same state are hosts that share it. */
export const layerShared = (state: State): Layer.Layer<StoragePorts> =>
  Layer.syncContext(() =>
    Context.make(ShopStore, Shops.make(state)).pipe(
      Context.add(CustomizerStore, Customizers.make(state)),
      Context.add(OrderStore, Orders.make(state)),
      Context.add(TokenStore, Tokens.make(state)),
      Context.add(RateLimits, Limits.make(state)),
      Context.add(EndpointStore, Endpoints.make(state)),
      Context.add(DeliveryQueue, Queue.make(state)),
      Context.add(DeliveryLog, Log.make(state)),
      Context.add(Upkeep, Keeping.make(state)),
      Context.add(DeliverySignal, Signals.make(state)),
      Context.add(EventStore, Events.make(state)),
      Context.add(NoticeStore, Notices.make(state)),
      Context.add(KeptAnswers, Answers.make(state)),
      Context.add(SettingsSessions, Sessions.make(state)),
      Context.add(AuditStore, Audit.make(state)),
      Context.add(Inbox, Inboxes.make(state)),
    ),
  )

/** A new, separate store. */
export const layer: Layer.Layer<StoragePorts> = Layer.suspend(() => layerShared(makeState()))
