import { Effect, Option } from "effect"
import { EndpointKind } from "../../../../core/model/events/Event.ts"
import { Form } from "../../Form.ts"
import type { Problems } from "../../Problems.ts"
import { CodeBoxes } from "../CodeBoxes.tsx"
import { useTexts } from "../CurrentLanguage.ts"
import type { CustomizerChoice } from "../catalog/CustomizerField.tsx"
import { Field } from "../Field.tsx"
import { CustomizersField } from "./CustomizersField.tsx"
import { basicFields, type OptionValues, readOptions, shownAgain } from "./OptionControls.ts"
import { OptionFields, optionFields } from "./OptionFields.tsx"

/** The content of an endpoint's form. */
export interface EndpointInput extends OptionValues {
  readonly url: string
  readonly description: string
  readonly events: ReadonlyArray<string>
}

/**
 * The content that was sent. The use case validates it, including the kinds of events and the ids of customizers.
 * Options with a secret are left out if they stay as they are `kept`.
 */
export const readEndpointForm = (kept: OptionValues) =>
  Effect.map(Form, ({ all, text }) => ({
    url: text("url").trim(),
    description: text("description").trim(),
    events: all("events") as ReadonlyArray<EndpointKind>,
    // Customizers are boxes, or one field with all of them.
    ...readOptions((name) => (name === "customizers" ? all(name).join(",") : text(name)), kept),
  }))

/** The content of an endpoint's form, as its use case takes it. */
export type SentEndpoint = Effect.Success<ReturnType<typeof readEndpointForm>>

/** Content that was sent, as the form shows it again: without secrets. */
export const shownInput = (sent: SentEndpoint, kept: OptionValues): EndpointInput => ({
  ...sent,
  ...shownAgain(sent, kept),
})

/** The user of basic authentication in the form that was sent; `""` without one. */
export const userSent = Effect.map(
  Effect.serviceOption(Form),
  Option.match({ onNone: () => "", onSome: ({ text }) => text(basicFields.user) }),
)

/** As many customizers are in the form without being unfolded. */
const fewCustomizers = 12

/** The user and the password of basic authentication. The password is never shown again. */
const BasicFields = ({ problems, user }: { readonly problems: Problems; readonly user: string }) => {
  const { endpointFields: texts } = useTexts()
  return (
    <fieldset>
      <legend>{texts.basic}</legend>
      <p class="hint">{texts.basicHint}</p>
      <div class="inline">
        <Field
          name={basicFields.user}
          label={texts.basicUser}
          problems={problems}
          control={(attributes) => (
            <input
              {...{ type: "text", maxLength: 255, value: user, autocomplete: "off", ...attributes }}
              {...{ pattern: "[^:]*", title: texts.basicUserTitle }}
            />
          )}
        />
        <Field
          name={basicFields.password}
          label={texts.basicPassword}
          problems={problems}
          control={(attributes) => (
            <input
              {...{ type: "password", maxLength: 255, required: user !== "", autocomplete: "new-password" }}
              {...attributes}
            />
          )}
        />
      </div>
    </fieldset>
  )
}

/** The fields above the folded ones that may have a problem. */
const alwaysShown = ["url", "description", "events"]

/** The fields of an endpoint's form. */
export const EndpointFields = ({
  customizers,
  input,
  isNew = false,
  problems,
  user,
}: {
  /** The user of basic authentication ({@link userSent}). */
  readonly user: string
  /** The customizers to choose from; `undefined` if they are too many to show. */
  readonly customizers: ReadonlyArray<CustomizerChoice> | undefined
  readonly input: EndpointInput
  /** Whether the endpoint is not there yet, so that none of its deliveries can be dropped. */
  readonly isNew?: boolean
  readonly problems: Problems
}) => {
  const { endpointFields: texts, events } = useTexts()
  const fields = [...alwaysShown, "basic", ...optionFields]
  const ticks = customizers !== undefined && customizers.length <= fewCustomizers ? customizers : []
  const others = problems.filter(({ path }) => !fields.some((field) => path.startsWith(field)))
  /** Whether nothing above a field has a problem, so that the field may have the focus. */
  const isFirst = (...above: ReadonlyArray<string>) =>
    others.length === 0 && !problems.some(({ path }) => above.some((name) => path.startsWith(name)))
  return (
    <>
      {others.map(({ message }, index) => (
        <p key={message} class="problem" role="alert" tabIndex={-1} autofocus={index === 0}>
          {message}
        </p>
      ))}
      <Field
        name="url"
        label={texts.url}
        hint={texts.urlHint}
        focuses={isFirst()}
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
        label={texts.description}
        hint={texts.descriptionHint}
        focuses={isFirst("url")}
        problems={problems}
        control={(attributes) => (
          <input type="text" value={input.description} maxLength={255} autocomplete="off" {...attributes} />
        )}
      />
      <CodeBoxes
        name="events"
        legend={texts.events}
        hint={!isNew && texts.eventsHint}
        words={EndpointKind.literals}
        hints={events.meanings}
        ticked={input.events}
        hasProblem={problems.some(({ path }) => path.startsWith("events"))}
        focuses={isFirst("url", "description")}
      />
      {ticks.length > 0 && (
        <CustomizersField
          choices={ticks}
          ticked={input.customizers ?? []}
          focuses={isFirst(...alwaysShown)}
          problems={problems}
        />
      )}
      <BasicFields problems={problems} user={user} />
      <OptionFields
        customizers={customizers ?? []}
        isTicked={ticks.length > 0}
        values={input}
        isFirst={(...above) => isFirst(...alwaysShown, ...above)}
        problems={problems}
      />
    </>
  )
}
