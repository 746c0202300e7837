import { useTexts } from "../CurrentLanguage.ts"

/** The kinds of events that an endpoint receives. */
export const EventKinds = ({ kinds }: { readonly kinds: ReadonlyArray<string> }) => (
  <ul class="tags" aria-label={useTexts().parts.events}>
    {kinds.map((kind) => (
      <li key={kind} class="badge mono">
        {kind}
      </li>
    ))}
  </ul>
)
