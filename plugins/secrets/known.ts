import { perProcess } from "../../core/base/index.js";
import { createRedactor, type Redactor } from "./redactor.js";

const own = perProcess("redactor@2", createRedactor);

/** Of all secrets that this process has met: an output stream belongs to no single app. */
export const redactor: Redactor = {
  know: (value) => own().know(value),
  redact: (text) => own().redact(text),
  stream: () => own().stream(),
  hold: () => own().hold(),
};
