import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as Errors from "../../../core/api/Errors.ts"
import * as Model from "../../../core/model/settings/SettingsLink.ts"
import { created, describe, inputErrors, shop } from "./Common.ts"

/** The settings app, in which a store's owner manages tokens and webhooks. */
export const settings = HttpApiGroup.make("settings")
  .add(
    HttpApiEndpoint.post("createSettingsLink", "/shops/:shop/settings-link", {
      params: shop,
      payload: Model.SettingsLinkInput.annotate({ identifier: "SettingsLinkInput" }),
      success: Model.SettingsLink.annotate({ identifier: "SettingsLink" }).pipe(created),
      error: [...inputErrors, Errors.Conflict],
    }).annotateMerge(
      describe(
        "Create a settings link",
        "Makes a link that lets one person into the settings app, for this store only. Opening it shows a button; the",
        "button begins a session of twelve hours, once. Keep it as secret as a password until it is used.",
      ),
    ),
  )
  .annotateMerge(OpenApi.annotations({ title: "Settings app", description: "Links that let people into it." }))
