/** The formats that `engine import` reads. A reader of another tool is one more element. */
import type { Imported, Reader, ReadSettings } from "./contract.js";
import { refused } from "./failure.js";
import { terraformState } from "./terraform/state.js";

const READERS: readonly Reader[] = [terraformState];

/** @throws EngineError `IMPORT_REFUSED` */
export function readSource(text: string, settings: ReadSettings): Promise<Imported> {
  const reader = READERS.find((one) => one.recognises(text));
  if (reader) return reader.read(text, settings);
  const formats = READERS.map(({ format }) => format).join(", ");
  throw refused(settings.place, `has no format that the engine knows. It reads: ${formats}.`);
}
