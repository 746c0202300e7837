/** Designs over `node:http`, from a pool of `pg`'s connections. */
import pg from "pg"
import { setting } from "../support/Child.ts"
import { serveDesigns } from "./DesignServer.ts"

const pool = new pg.Pool({ connectionString: setting("DATABASE_URL"), max: Number(process.env["POOL"] ?? 10) })

serveDesigns((statement) => pool.query(statement))
