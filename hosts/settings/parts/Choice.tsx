/** A list to choose one of, or all. */
export const Choice = ({
  all,
  choices,
  label,
  name,
  value,
}: {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly all: string
  readonly choices: ReadonlyArray<string>
}) => (
  <select name={name} aria-label={label} class="small">
    <option value="">{all}</option>
    {choices.map((choice) => (
      <option key={choice} value={choice} selected={choice === value}>
        {choice}
      </option>
    ))}
  </select>
)
