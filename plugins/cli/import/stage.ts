/** The stage that an import records its resources in: looks at it, checks it, and changes it. */
import { EngineError, isEngineError } from "../../../core/base/index.js";
import type { EngineOptions, Scope } from "../../../core/contract/index.js";
import { makeDetachedApp } from "../../../core/engine/index.js";
import { type Contents, keyNeeded, readCheckpoint } from "../../../core/state/index.js";
import { adminOf, type StageAdmin } from "../../admin/operations/index.js";
import { adminParts } from "../../admin/parts.js";
import { envOptions } from "../../env-options/index.js";
import { counted } from "../../internal/text/counted.js";
import { secrets } from "../../secrets/index.js";
import { hasKeyFor } from "../../secrets/password.js";
import { stateStore } from "../../state-store/index.js";

/** Options of the stage, as for `engine()`. */
export type StageOptions = Pick<
  EngineOptions,
  "stage" | "password" | "key" | "profile" | "rootDir" | "stateStore" | "lockTimeout" | "env" | "strictState"
>;

/** Returns the resource or output that holds a secret. */
type SecretFinder = () => string | undefined;

/**
 * Checks that the stage can be read, before an import does anything slow.
 *
 * @returns a function that throws if there is a secret that the stage cannot seal
 * @throws EngineError `PASSWORD_REQUIRED`, `WRONG_PASSWORD`, and everything else that a load throws
 */
export function checkStage(app: string, options: StageOptions): Promise<(find: SecretFinder) => void> {
  return withStage(app, options, async (admin, scope) => {
    const hasKey = hasKeyFor(scope);
    const fqn = `${admin.app}/${admin.stage}`;
    const present = await presentIn(admin);
    if (present?.isSealed && !hasKey) throw keyNeeded(fqn);
    return (find) => {
      const owner = hasKey ? undefined : find();
      if (owner === undefined) return;
      throw new EngineError(
        "PASSWORD_REQUIRED",
        `"${owner}" holds a secret, and "${fqn}" has no password or key to seal it with. This command recorded nothing. Set ENGINE_PASSWORD or ENGINE_KEY, or pass --password-file or --key-file.`,
      );
    };
  });
}

export interface Present {
  readonly text: string;
  readonly contents: Contents;
  readonly isSealed: boolean;
}

/** Returns undefined if the stage was never used. */
export async function presentIn(admin: StageAdmin): Promise<Present | undefined> {
  try {
    const text = await admin.pull();
    const { contents, seal } = readCheckpoint("the state", text);
    return { text, contents, isSealed: seal !== undefined };
  } catch (error) {
    if (isEngineError(error, "NOT_RECORDED")) return undefined;
    throw error;
  }
}

export function contentsOf(text: string): Contents {
  return readCheckpoint("the records", text).contents;
}

/** An earlier import may have recorded exactly these resources and ended before it wrote its files. */
export function refuseOthers({ app, stage }: StageAdmin, present: Contents, imported: Contents): void {
  const there = comparable(present);
  const own = comparable(imported);
  const other = [...there].find(([key, text]) => own.get(key) !== text) ?? [...own].find(([key]) => !there.has(key));
  if (!other) return;
  const count = counted(there.size, "resource");
  throw new EngineError(
    "IMPORT_REFUSED",
    `The stage "${app}/${stage}" has ${count} already, and ${there.size === 1 ? "it is" : "they are"} not as in the source: "${other[0]}" differs. This command recorded nothing. Choose another stage or app: --stage, --name.`,
  );
}

/** Returns the kind and values of each record by key. Sealed values never have the same text twice. */
function comparable({ records }: Contents): ReadonlyMap<string, string> {
  const masked = (name: string, value: unknown): unknown => (name === "$secret" ? "" : value);
  return new Map(
    [...records.values()].map(({ key, kind, props, output }) => [key, JSON.stringify([kind, props, output], masked)]),
  );
}

/** @param since the text of the stage that the records were made for; undefined if it was never used */
export async function push(admin: StageAdmin, text: string, since: string | undefined): Promise<void> {
  try {
    await admin.push(text, since === undefined ? {} : { since });
  } catch (error) {
    throw isEngineError(error, since === undefined ? "STATE_IDENTITY" : "STATE_MOVED")
      ? overtaken(admin, error)
      : error;
  }
}

function overtaken({ app, stage }: StageAdmin, cause: EngineError): EngineError {
  const message = `Another run changed "${app}/${stage}" in the meantime. This command recorded nothing. Run the same command again.`;
  return new EngineError("IMPORT_REFUSED", message, { cause });
}

export async function withStage<T>(
  app: string,
  options: EngineOptions,
  work: (admin: StageAdmin, scope: Scope) => Promise<T>,
): Promise<T> {
  const plugins = [envOptions(), secrets(), stateStore()];
  const own = makeDetachedApp({ plugins }, app, { ...options, argv: [], telemetry: false, quiet: true });
  const admin = adminOf(own, { ...adminParts, isOwn: true });
  try {
    return await work(admin, own.root);
  } finally {
    await admin.close();
  }
}
