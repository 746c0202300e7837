// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are code.
import { inFile, type RowFault } from "../RowFault.ts"

/** Faults in what the settings app is made for: links, the audit, figures, and the pages of the catalogue. */
export const settings: ReadonlyArray<RowFault> = [
  ...inFile("core/usecases/settings/SettingsLinks.ts", [
    ["D58", "isExpired ? yield* new UnusableLink", "isExpired && false ? yield* new UnusableLink"],
    ["D58", "return isFirst ? content", "return isFirst || true ? content"],
    ["D58", "JSON.stringify([purpose, shop])", "JSON.stringify([purpose])"],
    ["D58", "if (url === null) {", "if (url === undefined) {"],
    ["D58", "expires > now + longestLifetime", "expires > now + 2 * longestLifetime"],
    ["D58", "${name} made ${kind} for", "a link was made for"],
  ]),
  ...inFile("hosts/settings/Guard.ts", [["D58", "visitor.isReadOnly && route.evenReadOnly !== true", "false"]]),
  ...inFile("hosts/settings/pages/catalog/Publish.tsx", [
    ["D58", "evenReadOnly: true,\n    maximumForm", "maximumForm"],
    ["D69", "isPublishing && !visit.visitor.mayPublish", "isPublishing && visit.visitor.actor === null"],
  ]),
  ...inFile("hosts/settings/Access.ts", [
    ["D58", 'if (isForEveryone && !("key" in access)) return nobody', ""],
    [
      "D58",
      "if (linked !== undefined) return visitorOf(linked)",
      'if (linked !== undefined && "key" in access) return visitorOf(linked)',
    ],
    ["D69", "mayPublish: publish,", "mayPublish: publish || true,"],
  ]),
  ...inFile("hosts/settings/Session.ts", [
    ["D58", "standing.isEnded || standing.epoch > epoch", "standing.epoch > epoch"],
    ["D58", "standing.isEnded || standing.epoch > epoch", "standing.isEnded"],
  ]),
  ...inFile("core/support/Auditing.ts", [["D59", "actor: yield* CurrentActor,", "actor: service,"]]),
  ...inFile("core/rules/audit/AuditRules.ts", [
    ["D59", "before: was && picked(was.fields, names),", "before: null,"],
    [
      "D59",
      "({ expiresAt, hint, name, scopes }: TokenRecord): AuditFields => ({\n  name,",
      "({ digest, expiresAt, hint, name, scopes }: TokenRecord): AuditFields => ({\n  digest,\n  name,",
    ],
    ["D59", "? recordedUrl(value) :", "? value :"],
    [
      "D59",
      "!isSame(was?.fields[name], is?.fields[name])",
      "!isSame(was && recorded(name, was.fields[name]), is && recorded(name, is.fields[name]))",
    ],
  ]),
  ...inFile("core/rules/audit/RecordedUrl.ts", [["D59", 'end === -1 ? "…"', "end === -1 ? part"]]),
  ...inFile("core/model/audit/AuditEntry.ts", [["D59", "auditRetention = 400 *", "auditRetention = 40 *"]]),
  ...inFile("core/model/activity/AttemptCounts.ts", [
    ["D60", 'failedAttempts: status === "succeeded" ? 0 : 1', 'failedAttempts: status === "failed" ? 1 : 0'],
  ]),
  ...inFile("core/usecases/ReadActivity.ts", [
    ["D60", "pending: views.reduce((all, { pending }) => all + pending, 0)", "pending: views[0]?.pending ?? 0"],
  ]),
  ...inFile("core/model/traces/TraceContext.ts", [
    ["D70", 'traceId.padStart(32, "0")}-${span.spanId}', 'traceId.padStart(32, "0")}-${span.traceId.slice(0, 16)}'],
    ["D70", "text.length <= longestState &&", "text.length >= 0 &&"],
  ]),
  ...inFile("core/model/json/JsonPlaces.ts", [["D69", "line: line + 1,", "line,"]]),
]
