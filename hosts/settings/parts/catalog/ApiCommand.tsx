import { Copyable } from "../Copyable.tsx"
import { curlWith } from "../Curl.ts"

/** The command that reads an object through the REST API. */
export const ApiCommand = ({
  hint,
  label,
  path,
  url,
}: {
  /** The URL of the REST API. */
  readonly url: string
  /** The object's path in the API: `/orders/1001`. */
  readonly path: string
  readonly label: string
  readonly hint: string
}) => (
  <>
    <Copyable label={label} text={curlWith("cmz_…", url + path)} />
    <p class="hint">{hint}</p>
  </>
)
