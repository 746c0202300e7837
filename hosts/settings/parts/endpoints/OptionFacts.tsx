import { Fragment, type VNode } from "preact"
import type { Instant } from "../../../../core/model/Instant.ts"
import type { Endpoint } from "../../../../core/model/webhooks/Endpoint.ts"
import type { OptionTexts } from "../../texts/english/EndpointOptions.ts"
import { useTexts } from "../CurrentLanguage.ts"
import type { CustomizerChoice } from "../catalog/CustomizerField.tsx"
import { Isolated } from "../catalog/Isolated.tsx"
import { Time } from "../Time.tsx"
import { isSecret, isUsual, type OptionName, optionNames, partOf } from "./OptionControls.ts"

interface Props {
  readonly endpoint: Endpoint
  /** The titles of customizers that are known. */
  readonly customizers: ReadonlyArray<CustomizerChoice>
  readonly now: Instant
}

/** The options of an endpoint that are not as usual: terms and descriptions of a list. */
export const OptionFacts = ({ customizers, endpoint, now }: Props) => {
  const texts: Readonly<Record<OptionName, OptionTexts>> = useTexts().endpointOptions
  const shown = optionNames.filter((name) => !isUsual(name, endpoint) || texts[name].usualFact !== undefined)
  const terms = [...new Set(shown.map((name) => texts[name].term))]
  return (
    <>
      {terms.map((term) => (
        <Fragment key={term}>
          <dt>{term}</dt>
          <dd>
            {shown
              .filter((name) => texts[name].term === term)
              .map((name, index) => (
                <Fragment key={name}>
                  {index > 0 && ", "}
                  <Fact {...{ name, customizers, endpoint, now }} />
                </Fragment>
              ))}
          </dd>
        </Fragment>
      ))}
    </>
  )
}

const Fact = ({ customizers, endpoint, name, now }: Props & { readonly name: OptionName }): VNode => {
  const { endpoint: words, endpointOptions } = useTexts()
  const { fact, usualFact }: OptionTexts = endpointOptions[name]
  if (isSecret(name)) {
    const ends = name === "clientCertificate" && endpoint.clientCertificate?.endsAt
    return (
      <>
        <code>{partOf(name, endpoint)}</code>
        {ends && <> {words.certificateEnds(<Time at={ends} now={now} />)}</>}
      </>
    )
  }
  if (isUsual(name, endpoint)) return <>{usualFact}</>
  if (name === "customizers") {
    const titleOf = (wanted: number) => customizers.find(({ id }) => id === wanted)?.title ?? String(wanted)
    return <Isolated texts={(endpoint.customizers ?? []).map(titleOf)} />
  }
  if (typeof fact === "function") return <>{fact(Number(endpoint[name]))}</>
  return <>{fact ?? [endpoint[name]].flat().join(", ")}</>
}
