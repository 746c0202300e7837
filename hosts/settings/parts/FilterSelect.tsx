/** A list to filter by one value, or by none. */
export const FilterSelect = ({
  all,
  label,
  name,
  value,
  nameOf = (value) => value,
  values,
}: {
  readonly name: string
  readonly label: string
  readonly value: string
  /** The text of the option that filters nothing. */
  readonly all: string
  readonly values: ReadonlyArray<string>
  /** The text of a value's option. Default: the value. */
  readonly nameOf?: (value: string) => string
}) => (
  <select name={name} aria-label={label} class="small">
    <option value="">{all}</option>
    {values.map((each) => (
      <option key={each} value={each} selected={each === value}>
        {nameOf(each)}
      </option>
    ))}
  </select>
)
