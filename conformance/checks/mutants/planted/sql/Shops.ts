import { inFile, type Mutant } from "../../Mutant.ts"

/** Faults in the adapter over SQL: in shops, their tokens and the rates of those. */
export const shops: ReadonlyArray<Mutant> = [
  ...inFile("sql", "adapters/sql/resources/Shops.ts", [
    {
      id: "shops.plan-pro",
      find: "if ((yield* resume(sql, which)) === 0) return",
      replace: "return",
      caughtBy: ["claim.free"],
    },
    {
      id: "shops.remains",
      find: "      yield* purgeRemovedShop(sql, shop.id)\n",
      replace: "",
      caughtBy: ["shops.remove.again"],
    },
    {
      id: "shops.begun",
      find: "AND NOT EXISTS (SELECT 1 FROM designwire.removed_shops r WHERE r.shop = s.id)",
      replace: "",
      caughtBy: ["shops.remove.begun"],
    },
    {
      id: "shops.tokens",
      find: "      yield* changes.committed(sql, tokens)\n",
      replace: "",
      caughtBy: ["tokens.listen.shop"],
    },
    {
      id: "shops.step",
      find: "rounding_step = excluded.rounding_step, ",
      replace: "",
      caughtBy: ["shops.put.replaces"],
    },
  ]),
  ...inFile("sql", "adapters/sql/resources/ShopViews.ts", [
    {
      id: "views.page.after",
      find: "s.id > ${after}",
      replace: "s.id >= ${after}",
      caughtBy: ["views.page"],
    },
    {
      id: "views.page.domain",
      find: ', begins(sql, "s.domain", search)',
      replace: "",
      caughtBy: ["views.page"],
    },
    {
      id: "views.set-up",
      find: "m.shop = s.id AND m.id = ${usedId(setUpMark)}",
      replace: "m.id = ${usedId(setUpMark)}",
      caughtBy: ["views.set-up"],
    },
    {
      id: "views.mark.orders",
      find: "  ${total(sql, shop, null)}\n)",
      replace: "  ${total(sql, `no ${shop}`, null)}\n)",
      caughtBy: ["views.mark"],
    },
    {
      id: "views.mark.claims",
      find: "string_agg(d.claim_token, ' ' ORDER BY d.id)",
      replace: "string_agg(d.id, ' ' ORDER BY d.id)",
      caughtBy: ["views.mark"],
    },
    {
      id: "views.mark.late",
      find: "d.created_at DESC, d.id DESC LIMIT ${sql.literal(String(newest))}",
      replace: "d.created_at DESC, d.id DESC LIMIT 1",
      caughtBy: ["views.mark"],
    },
  ]),
  ...inFile("sql", "adapters/sql/tokens/SettingsSessions.ts", [
    {
      id: "sessions.race",
      find: "ON CONFLICT (shop, id) DO NOTHING RETURNING",
      replace: "ON CONFLICT (shop, id) DO UPDATE SET epoch = 0 RETURNING",
      caughtBy: ["sessions.spend", "sessions.race"],
    },
    {
      id: "sessions.clock",
      find: "SET epoch = greatest(excluded.epoch, m.epoch + 1)",
      replace: "SET epoch = excluded.epoch",
      caughtBy: ["sessions.epoch"],
    },
    {
      id: "sessions.forgotten",
      find: "until = greatest(excluded.until, m.until)",
      replace: "until = excluded.until",
      caughtBy: ["sessions.until"],
    },
  ]),
  ...inFile("sql", "adapters/sql/statements/ChangeWithin.ts", [
    {
      id: "answers.apart",
      find: "withoutDefects(transaction(statements(marked)))",
      replace: "withoutDefects(statements(marked))",
      caughtBy: ["answers.atomic"],
    },
    {
      id: "answers.cut",
      find: "Effect.failCause(failure ?? (cause as Cause.Cause<E | StorageError>))",
      replace: "Effect.failCause(cause as Cause.Cause<E | StorageError>)",
      caughtBy: ["answers.cut"],
    },
  ]),
  ...inFile("sql", "adapters/sql/resources/KeptAnswers.ts", [
    {
      id: "answers.unlocked",
      find: "if (lock?.free !== true)",
      replace: "if (lock === undefined)",
      caughtBy: ["answers.under-way"],
    },
    {
      id: "answers.again",
      find: "request = excluded.request, answer = excluded.answer,",
      replace: "request = excluded.request,",
      caughtBy: ["answers.ended"],
    },
    {
      id: "answers.shown",
      find: "SET answer = NULL WHERE shop = ${shop} AND has_texts",
      replace: "SET answer = NULL WHERE shop = ${shop} AND NOT has_texts",
      caughtBy: ["answers.erase"],
    },
  ]),
  ...inFile("sql", "adapters/sql/tokens/Tokens.ts", [
    {
      id: "tokens.touch-back",
      find: " AND (t.last_used_at IS NULL OR t.last_used_at < l.at)`",
      replace: "`",
      caughtBy: ["tokens.touch.later"],
    },
    {
      id: "tokens.touch.latest",
      find: "max(u.at) AS at",
      replace: "min(u.at) AS at",
      caughtBy: ["tokens.touch.concurrent"],
    },
    {
      id: "tokens.revoke.shop",
      find: "DELETE FROM designwire.tokens t WHERE t.shop = ${shop} AND t.id = ${id} RETURNING",
      replace: "DELETE FROM designwire.tokens t WHERE t.id = ${id} RETURNING",
      caughtBy: ["tokens.revoke.shop"],
    },
    {
      id: "tokens.revoke.listeners",
      find: "changes.committed(sql, revoked),",
      replace: "Effect.void,",
      caughtBy: ["tokens.listen.here"],
    },
    {
      id: "tokens.revoke.others",
      find: "SELECT *, ${notifyHosts(sql)} AS notified FROM revoked",
      replace: "SELECT * FROM revoked",
      caughtBy: ["tokens.listen.elsewhere"],
    },
    {
      id: "tokens.ending",
      find: "Effect.forEach(endingOf(token),",
      replace: "Effect.forEach(endingOf({ ...token, expiresAt: null }),",
      caughtBy: ["notices.token"],
    },
    {
      id: "tokens.revoke.ending",
      find: "id = ${endingId(id)} AND",
      replace: "id = ${id} AND",
      caughtBy: ["notices.token.revoked"],
    },
    {
      id: "tokens.revoke.told",
      find: "${endingId(id)} AND next_attempt_at IS NOT NULL",
      replace: "${endingId(id)}",
      caughtBy: ["notices.token.revoked"],
    },
    {
      id: "tokens.scopes",
      find: "${[...token.scopes]}::text[]",
      replace: "NULL",
      caughtBy: ["tokens.find.digest"],
    },
    {
      id: "tokens.committed",
      find: "committed: !within",
      replace: "committed: true",
      caughtBy: ["tokens.find.transaction"],
    },
  ]),
  ...inFile("sql", "adapters/sql/tokens/TokenChanges.ts", [
    {
      id: "changes.at-once",
      find: "sql.afterCommit(Effect.forEach(tokens",
      replace: "(Effect.forEach(tokens",
      caughtBy: ["tokens.listen.transaction"],
    },
    {
      id: "changes.caught-up",
      find: "listens ? Effect.catch(echo(sql), () => Effect.succeed(false)) : Effect.succeed(false)",
      replace: "Effect.succeed(listens)",
      caughtBy: ["tokens.caught-up.elsewhere"],
    },
  ]),
  ...inFile("sql", "adapters/sql/tokens/RateLimits.ts", [
    {
      id: "rates.limit",
      find: "greatest(0, least(excluded.granted, ${rate.limit}::int4 - cardinality(k.kept)))",
      replace: "greatest(0, least(excluded.granted, ${rate.limit}::int4))",
      caughtBy: ["rate.limit"],
      sample: true,
    },
    {
      id: "rates.window",
      find: "width_bucket(c.at - ${rate.window}::int8, w.accepted) + 1 :",
      replace: "width_bucket(c.at - ${rate.window}::int8 - 1, w.accepted) + 1 :",
      caughtBy: ["rate.sliding"],
    },
    {
      id: "rates.clock",
      find: "greatest(excluded.accepted[1], w.accepted[cardinality(w.accepted)])",
      replace: "excluded.accepted[1]",
      caughtBy: ["rate.clock.behind"],
    },
    {
      id: "rates.batch.clock",
      find: "Math.max(now, before?.now ?? now)",
      replace: "Math.min(now, before?.now ?? now)",
      caughtBy: ["rate.concurrent.clocks"],
    },
    {
      id: "rates.turn",
      find: "const accepted = turn <= row.granted",
      replace: "const accepted = row.granted > 0",
      caughtBy: ["rate.concurrent"],
    },
    {
      id: "rates.remaining",
      find: "row.counted - (accepted ? row.granted - turn : 0)",
      replace: "row.counted",
      caughtBy: ["rate.concurrent"],
    },
    {
      id: "rates.group",
      find: "`${shop} ${rate.limit} ${rate.window}`",
      replace: "`${rate.limit} ${rate.window}`",
      caughtBy: ["rate.apart.concurrent"],
    },
  ]),
]
