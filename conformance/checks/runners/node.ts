import { describe, it } from "node:test"
import { register } from "../../index.ts"
import { subject } from "./subject.ts"

register(subject, { describe, it })
