/** The types that users see: the core's types, without Effect. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { describe, expect, expectTypeOf, it, onTestFinished } from "vitest"
import type { Activity } from "../../core/model/activity/Activity.ts"
import type { AuditPage } from "../../core/model/audit/AuditEntry.ts"
import type { CustomizerInput } from "../../core/model/Customizer.ts"
import type { PublishInput } from "../../core/model/Definition.ts"
import type { Delivery } from "../../core/model/Delivery.ts"
import type { DesignInput } from "../../core/model/Design.ts"
import type {
  Endpoint,
  EndpointInput,
  EndpointUpdate,
  RecoveryInput,
  RotationInput,
} from "../../core/model/Endpoint.ts"
import type { OrderInput } from "../../core/model/Order.ts"
import type { InboxPage } from "../../core/model/orders/InboxView.ts"
import type { Problem } from "../../core/model/Problem.ts"
import type { EventsInput, InboxInput, OrdersInput } from "../../core/model/queries/Queries.ts"
import type { ResendInput, Resent } from "../../core/model/resend/Resend.ts"
import type { Shop, ShopInput } from "../../core/model/Shop.ts"
import type { SettingsLink, SettingsLinkInput } from "../../core/model/settings/SettingsLink.ts"
import type { Token, TokenInput } from "../../core/model/Token.ts"
import type { Drained } from "../../core/usecases/dispatch/Dispatch.ts"
import type { Authorize } from "../settings/Options.ts"
import type * as Embed from "./index.ts"

/** A type whose optional keys may also be `undefined`. */
type OrUndefined<A> = { [K in keyof A]: Record<never, never> extends Pick<A, K> ? A[K] | undefined : A[K] }

describe("The types of designwire/embed", () => {
  it("MUST be the core's types", () => {
    expectTypeOf<Embed.Shop>().toEqualTypeOf<Shop>()
    expectTypeOf<Embed.ShopInput>().toEqualTypeOf<OrUndefined<ShopInput>>()
    expectTypeOf<Embed.CustomizerInput>().toEqualTypeOf<CustomizerInput>()
    expectTypeOf<Parameters<Embed.Customizers["publish"]>[2]>().toEqualTypeOf<PublishInput>()
    expectTypeOf<Embed.DesignInput>().toEqualTypeOf<OrUndefined<DesignInput>>()
    expectTypeOf<Embed.OrderInput>().toEqualTypeOf<OrderInput>()
    expectTypeOf<Embed.OrdersQuery>().toExtend<OrdersInput>()
    expectTypeOf<Embed.EventsQuery>().toExtend<EventsInput>()
    expectTypeOf<Embed.Token>().toEqualTypeOf<Token>()
    expectTypeOf<Embed.TokenInput>().toEqualTypeOf<OrUndefined<TokenInput>>()
    expectTypeOf<Embed.Endpoint>().toEqualTypeOf<Endpoint>()
    expectTypeOf<Embed.EndpointInput>().toEqualTypeOf<OrUndefined<EndpointInput>>()
    expectTypeOf<Embed.EndpointUpdate>().toEqualTypeOf<OrUndefined<EndpointUpdate>>()
    expectTypeOf<Parameters<Embed.Webhooks["recover"]>[2]>().toEqualTypeOf<RecoveryInput>()
    expectTypeOf<Embed.ResendInput>().toEqualTypeOf<OrUndefined<ResendInput>>()
    expectTypeOf<Embed.Resent>().toEqualTypeOf<Resent>()
    expectTypeOf<Embed.RotationInput>().toEqualTypeOf<OrUndefined<RotationInput>>()
    expectTypeOf<Embed.Delivery>().toEqualTypeOf<Delivery>()
    expectTypeOf<Embed.Activity>().toExtend<Activity>()
    expectTypeOf<Activity>().toExtend<Embed.Activity>()
    expectTypeOf<Embed.AuditPage>().toExtend<AuditPage>()
    expectTypeOf<AuditPage>().toExtend<Embed.AuditPage>()
    expectTypeOf<Embed.InboxPage>().toEqualTypeOf<InboxPage>()
    expectTypeOf<Embed.InboxQuery>().toExtend<InboxInput>()
    expectTypeOf<Embed.SettingsLinkInput>().toEqualTypeOf<OrUndefined<SettingsLinkInput>>()
    expectTypeOf<Embed.SettingsLink>().toEqualTypeOf<SettingsLink>()
    expectTypeOf<ReturnType<Embed.SettingsApp["authorize"]>>().toEqualTypeOf<ReturnType<Authorize>>()
    expectTypeOf<Embed.Drained>().toEqualTypeOf<Drained>()
    expectTypeOf<Embed.Problem>().toEqualTypeOf<Problem>()
  })

  it("MUST refer to no type of effect or any other package", () => {
    const root = resolve(import.meta.dirname, "../..")
    const output = mkdtempSync(join(tmpdir(), "designwire-types-"))
    onTestFinished(() => rmSync(output, { recursive: true, force: true }))
    const options = ["--emitDeclarationOnly", "--outDir", output]
    execFileSync(
      process.execPath,
      [join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.build.json", ...options],
      {
        cwd: root,
      },
    )
    const entry = join(output, "hosts/embed/index.d.ts")
    const files = new Set([entry])
    const packages = new Set<string>()
    for (const file of files) {
      for (const [, from = ""] of readFileSync(file, "utf8").matchAll(/(?:from|import\()\s*"([^"]+)"/g)) {
        if (from.startsWith("."))
          files.add(resolve(dirname(file), from.replace(/\.ts$/, ".d.ts").replace(/\.js$/, ".d.ts")))
        // Examples import the package itself.
        else if (!from.startsWith("designwire/")) packages.add(from)
      }
    }
    expect([...packages]).toEqual([])
    expect(files.size).toBeGreaterThan(10)
  })
})
