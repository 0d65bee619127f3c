/** The formats that `engine import` reads. A reader of another tool is one more element. */
import { isAlchemyFolder } from "./alchemy/folder.js";
import { readAlchemy } from "./alchemy/state.js";
import type { Imported, Reader, ReadSettings } from "./contract.js";
import { refused } from "./failure.js";
import { pulumiState } from "./pulumi/state.js";
import { terraformState } from "./terraform/state.js";

const READERS: readonly Reader[] = [terraformState, pulumiState];

/** @throws EngineError `IMPORT_REFUSED` */
export async function readSource(text: string, settings: ReadSettings): Promise<Imported> {
  const reader = READERS.find((one) => one.recognises(text));
  if (reader) return reader.read(text, settings);
  const formats = READERS.map(({ format }) => format).join(", ");
  throw refused(settings.place, `has no format that the engine knows. It reads: ${formats}.`);
}

/** @throws EngineError `IMPORT_REFUSED` */
export async function readFolder(settings: ReadSettings): Promise<Imported> {
  if (isAlchemyFolder(settings.place)) return readAlchemy(settings);
  const advice = "Pass a file, or the .alchemy folder of an Alchemy project.";
  throw refused(settings.place, `is a folder that the engine does not know. ${advice}`);
}
