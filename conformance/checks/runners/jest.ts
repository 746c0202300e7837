import { describe, it } from "@jest/globals"
import { register } from "../../index.ts"
import { subject } from "./subject.ts"

register(subject, { describe, it })
