import { Effect } from "effect"
import { EndpointKind } from "../../../core/model/Event.ts"
import { Form } from "../Visit.ts"
import { Field, type Problems } from "./Field.tsx"

/** What the form of an endpoint has. */
export interface EndpointEntered {
  readonly url: string
  readonly description: string
  readonly events: ReadonlyArray<string>
  readonly standardWebhooks: boolean
}

const meanings: Readonly<Record<EndpointKind, string>> = {
  "design.ordered": "Once per design, when the order that it is part of is placed",
  "order.cancelled": "An order with custom items is cancelled",
  "design.created": "A buyer saves a design on the storefront. Off by default, high volume",
}

/** What the form sent. The use case says which kinds of events there are. */
export const readEndpointForm = Effect.map(Form, ({ all, text }) => ({
  url: text("url").trim(),
  description: text("description").trim(),
  events: all("events") as ReadonlyArray<EndpointKind>,
  standardWebhooks: text("standardWebhooks") !== "",
}))

/** The fields of an endpoint. */
export const EndpointFields = ({
  entered,
  problems,
}: {
  readonly entered: EndpointEntered
  readonly problems: Problems
}) => {
  const wrongKinds = problems.filter(({ path }) => path.startsWith("events"))
  return (
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
        hint="A public https address. It is checked now and again before every delivery."
        problems={problems}
        control={(attributes) => (
          <input
            type="url"
            inputMode="url"
            placeholder="https://erp.example.com/webhooks"
            value={entered.url}
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
        hint="For your own eyes; may be left empty"
        problems={problems}
        control={(attributes) => (
          <input type="text" value={entered.description} maxLength={255} autocomplete="off" {...attributes} />
        )}
      />
      <fieldset {...(wrongKinds.length === 0 ? {} : { "aria-describedby": "events-problem" })}>
        <legend>Events</legend>
        {EndpointKind.literals.map((kind) => (
          <div key={kind} class="choice">
            <input
              type="checkbox"
              id={`events-${kind}`}
              name="events"
              value={kind}
              checked={entered.events.includes(kind)}
              aria-describedby={`events-${kind}-hint`}
            />
            <label for={`events-${kind}`}>
              <code>{kind}</code>
            </label>
            <p class="hint" id={`events-${kind}-hint`}>
              {meanings[kind]}
            </p>
          </div>
        ))}
        {wrongKinds.length > 0 && (
          <p class="problem" id="events-problem">
            Choose at least one kind of event.
          </p>
        )}
      </fieldset>
      <fieldset>
        <legend>Headers</legend>
        <div class="choice">
          <input
            type="checkbox"
            id="standardWebhooks"
            name="standardWebhooks"
            value="yes"
            checked={entered.standardWebhooks}
            aria-describedby="standardWebhooks-hint"
          />
          <label for="standardWebhooks">Standard Webhooks as well</label>
          <p class="hint" id="standardWebhooks-hint">
            Also sends <code>webhook-id</code>, <code>webhook-timestamp</code> and <code>webhook-signature</code>, for
            receivers that verify with a library of Standard Webhooks
          </p>
        </div>
      </fieldset>
    </>
  )
}
