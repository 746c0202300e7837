import { layerCrypto } from "designwire"
import * as Manage from "designwire/manage"
import { Effect, Redacted } from "effect"
import { OpenApi } from "effect/http-api"

const check = await Manage.makeKeyCheck(Redacted.make("manage-key")).pipe(
  Effect.provide(layerCrypto),
  Effect.runPromise,
)
Manage.layer(check)
const paths = Object.keys(OpenApi.fromApi(Manage.Contract).paths)
if (!paths.includes("/manage/v1/shops/{shop}")) throw new Error(`The paths are ${paths}`)
