/** Writes what has to be made into the table of the ERP. */
import { DatabaseSync } from "node:sqlite"

const database = new DatabaseSync(process.env.FILE ?? "erp.db")
database.exec(`CREATE TABLE IF NOT EXISTS positions (
  order_name TEXT NOT NULL, line TEXT NOT NULL, design TEXT NOT NULL, pieces INTEGER NOT NULL, metal TEXT NOT NULL,
  PRIMARY KEY (order_name, line)
)`)
