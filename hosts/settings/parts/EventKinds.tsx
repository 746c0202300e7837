/** The kinds of events that an endpoint receives. */
export const EventKinds = ({ kinds }: { readonly kinds: ReadonlyArray<string> }) => (
  <ul class="tags" aria-label="Events">
    {kinds.map((kind) => (
      <li key={kind} class="badge mono">
        {kind}
      </li>
    ))}
  </ul>
)
