import type { AuditView } from "../../../../core/model/audit/AuditEntry.ts"
import type { VisitProps } from "../../Visit.ts"
import { ChangeActor, ChangedFields } from "../ChangedFields.tsx"
import type { CustomizerChoice } from "../catalog/CustomizerField.tsx"
import { Time } from "../Time.tsx"

/** The newest entries about an endpoint: added, edited, failing, off, on, paused, rotated, and by whom. */
export const EndpointHistory = ({
  customizers,
  endpointId,
  entries,
  visit,
}: VisitProps & {
  /** The customizers whose titles are known. */
  readonly customizers: ReadonlyArray<CustomizerChoice>
  readonly endpointId: string
  readonly entries: ReadonlyArray<AuditView>
}) => {
  const { texts } = visit
  const titles = new Map(customizers.map(({ id, title }) => [String(id), title]))
  return (
    <section class="card" aria-labelledby="history">
      <header>
        <div>
          <h2 id="history">{texts.audit.history}</h2>
          <p>{texts.audit.historyLead}</p>
        </div>
        <a class="button small" href={`${visit.root}audit?subject=endpoint:${endpointId}`}>
          {texts.audit.allOfEndpoint}
        </a>
      </header>
      <ol class="timeline pad">
        {entries.map((entry) => (
          <li key={entry.id} class={tones[entry.action]}>
            <div>
              <p>{texts.audit.actions[entry.action]}</p>
              <ChangedFields entry={entry} reader={visit} titles={titles} />
            </div>
            <p class="hint">
              <ChangeActor actor={entry.actor} texts={texts} />
              {", "}
              <Time at={entry.at} now={visit.now} />
            </p>
          </li>
        ))}
      </ol>
    </section>
  )
}

const tones: Readonly<Partial<Record<AuditView["action"], string>>> = {
  "endpoint.created": "good",
  "endpoint.enabled": "good",
  "endpoint.failing": "bad",
  "endpoint.switched_off": "bad",
}
