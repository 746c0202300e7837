import * as Sql from "designwire/sql"
import { Layer } from "effect"

if (!Layer.isLayer(Sql.layer)) throw new Error("There is no layer")
if (Object.keys(Sql.migrations).length === 0) throw new Error("There are no migrations")
