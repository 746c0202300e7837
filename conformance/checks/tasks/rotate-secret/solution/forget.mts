/** Removes the old secret from the receiver. */
import { readSecrets, writeSecrets } from "./secrets.mts"

writeSecrets(readSecrets().slice(-1))
