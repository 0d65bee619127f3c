import { processWide } from "../../core/process-wide.js";
import { createRedactor, type Redactor } from "./redactor.js";

/** Of all secrets that this process has met: an output stream belongs to no single app. */
export const redactor: Redactor = processWide("redactor@1", createRedactor);
