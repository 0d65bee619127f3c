/** Explains why a program could not be loaded, if the engine knows more than Node's message says. */
import { readdirSync, readFileSync } from "node:fs";
import { EngineError, hasCode, messageOf, nearest, ownFile } from "../../core/base/index.js";

/** Returns undefined if Node's message is good enough, and for errors of the program itself. */
export async function loadFailure(error: unknown): Promise<EngineError | undefined> {
  if (hasCode(error, "ERR_MODULE_NOT_FOUND")) return notFound(error);
  if (hasCode(error, "ERR_PACKAGE_PATH_NOT_EXPORTED")) return noEntry(error);
  return error instanceof SyntaxError ? notExported(error) : undefined;
}

function notFound(error: unknown): EngineError {
  const message = messageOf(error);
  const [, name, file] = /^Cannot find package '(.+?)' imported from (.+)$/.exec(message) ?? [];
  if (name === undefined) return new EngineError("INVALID_PROGRAM", `${message}.`);
  const text = `"${file}" imports the package "${name}", which is not installed. Install it: npm install ${name}`;
  return new EngineError("PACKAGE_MISSING", text, { cause: error });
}

function noEntry(error: unknown): EngineError | undefined {
  const said =
    /subpath '\.\/(.+?)' is not defined by "exports" in .*[\\/]scope-engine[\\/]package\.json(?: imported from (.+))?$/;
  const [, asked, file] = said.exec(messageOf(error)) ?? [];
  if (asked === undefined) return undefined;
  const entries = ownEntries();
  const meant = entries.find((one) => one.endsWith(`/${asked}`)) ?? nearest(asked, entries);
  const hint = meant === undefined ? "The guide lists its entry points." : `Did you mean "scope-engine/${meant}"?`;
  const where = file === undefined ? "The program" : `"${file}"`;
  return new EngineError("INVALID_PROGRAM", `${where} imports "scope-engine/${asked}", which does not exist. ${hint}`, {
    cause: error,
  });
}

/** Lists the entry points of this package, without its name. */
function ownEntries(): readonly string[] {
  const { exports } = JSON.parse(readFileSync(ownFile("package.json"), "utf8"));
  return Object.keys(exports).flatMap((key) => {
    if (exports[key] === null || key === ".") return [];
    const name = key.slice("./".length);
    if (!name.endsWith("/*")) return [name];
    const folder = name.slice(0, -"*".length);
    return readdirSync(ownFile(`dist/${folder}`)).map((one) => `${folder}${one}`);
  });
}

async function notExported(error: SyntaxError): Promise<EngineError | undefined> {
  const said = /requested module '(scope-engine(?:\/[^']*)?)' does not provide an export named '(.+)'/;
  const [, module = "", name] = said.exec(error.message) ?? [];
  if (name === undefined) return undefined;
  const others = { resources: await import("../resources/index.js"), admin: await import("../admin/index.js") };
  const entry = Object.entries(others).find(([, names]) => name in names)?.[0];
  if (entry === undefined) return undefined;
  const [where = ""] = (error.stack ?? "").split("\n");
  const place = /:\d+$/.test(where) ? `${where}: ` : "";
  const text = `${place}"${module}" has no "${name}". Write: import { ${name} } from "scope-engine/${entry}"`;
  return new EngineError("INVALID_PROGRAM", text, { cause: error });
}

/** Error for a file that was named on the command line. */
export function unusableFile(path: string, what: "read" | "written" | "created", cause: unknown): EngineError {
  return new EngineError("INVALID_ARGUMENT", `"${path}" could not be ${what}: ${messageOf(cause)}.`, { cause });
}
