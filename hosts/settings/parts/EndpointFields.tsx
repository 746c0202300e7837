import { Effect } from "effect"
import { EndpointKind, eventMeanings } from "../../../core/model/Event.ts"
import { Form } from "../Form.ts"
import type { Problems } from "../Problems.ts"
import { Field } from "./Field.tsx"

/** The content of an endpoint's form. */
export interface EndpointInput {
  readonly url: string
  readonly description: string
  readonly events: ReadonlyArray<string>
  readonly standardWebhooks: boolean
}

/** The content that was sent. The use case validates it, including the kinds of events. */
export const readEndpointForm = Effect.map(Form, ({ all, text }) => ({
  url: text("url").trim(),
  description: text("description").trim(),
  events: all("events") as ReadonlyArray<EndpointKind>,
  standardWebhooks: text("standardWebhooks") !== "",
}))

/** The fields of an endpoint's form. */
export const EndpointFields = ({ input, problems }: { readonly input: EndpointInput; readonly problems: Problems }) => (
  <>
    {problems
      .filter(({ path }) => !/^(url|description|events)/.test(path))
      .map(({ message }) => (
        <p key={message} class="problem" role="alert">
          {message}
        </p>
      ))}
    <Field
      name="url"
      label="URL"
      hint="A public https URL. It is checked now and before every delivery."
      problems={problems}
      control={(attributes) => (
        <input
          type="url"
          inputMode="url"
          placeholder="https://erp.example.com/webhooks"
          value={input.url}
          maxLength={2048}
          autocomplete="off"
          required
          {...attributes}
        />
      )}
    />
    <Field
      name="description"
      label="Description"
      hint="Optional, for your own reference"
      problems={problems}
      control={(attributes) => (
        <input type="text" value={input.description} maxLength={255} autocomplete="off" {...attributes} />
      )}
    />
    <EventsField kinds={input.events} hasProblem={problems.some(({ path }) => path.startsWith("events"))} />
    <HeadersField standardWebhooks={input.standardWebhooks} />
  </>
)

const EventsField = ({
  hasProblem,
  kinds,
}: {
  readonly kinds: ReadonlyArray<string>
  readonly hasProblem: boolean
}) => (
  <fieldset {...(hasProblem ? { "aria-describedby": "events-problem" } : {})}>
    <legend>Events</legend>
    <p class="hint">Pending deliveries of events that you deselect are dropped.</p>
    {EndpointKind.literals.map((kind) => (
      <div key={kind} class="choice">
        <input
          type="checkbox"
          id={`events-${kind}`}
          name="events"
          value={kind}
          checked={kinds.includes(kind)}
          aria-describedby={`events-${kind}-hint`}
        />
        <label for={`events-${kind}`}>
          <code>{kind}</code>
        </label>
        <p class="hint" id={`events-${kind}-hint`}>
          {eventMeanings[kind]}
        </p>
      </div>
    ))}
    {hasProblem && (
      <p class="problem" id="events-problem">
        Choose at least one kind of event.
      </p>
    )}
  </fieldset>
)

const HeadersField = ({ standardWebhooks }: { readonly standardWebhooks: boolean }) => (
  <fieldset>
    <legend>Headers</legend>
    <div class="choice">
      <input
        type="checkbox"
        id="standardWebhooks"
        name="standardWebhooks"
        value="yes"
        checked={standardWebhooks}
        aria-describedby="standardWebhooks-hint"
      />
      <label for="standardWebhooks">Add the Standard Webhooks headers</label>
      <p class="hint" id="standardWebhooks-hint">
        <code>webhook-id</code>, <code>webhook-timestamp</code> and <code>webhook-signature</code>, for receivers that
        verify deliveries with a Standard Webhooks library
      </p>
    </div>
  </fieldset>
)
