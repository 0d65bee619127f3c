/** Checks of names that go to a server, made before the first request. */
import { EngineError } from "scope-engine";

/**
 * Refuses a name that the server would change or misread: PostgreSQL cuts long names, and an address ends at "..".
 *
 * @throws EngineError `NOT_CREATED`, because nothing was made
 */
export function checkName(what: string, name: string, most: number): void {
  const bytes = Buffer.byteLength(name);
  const problem =
    name === "" || name === "." || name === ".."
      ? "is not a name"
      : /[\p{Cc}\p{Cs}]/u.test(name)
        ? "contains control characters or half a character"
        : bytes > most
          ? `has ${bytes} bytes, and at most ${most} are allowed`
          : undefined;
  if (problem !== undefined) {
    throw new EngineError("NOT_CREATED", `The ${what} name ${JSON.stringify(name)} ${problem}. Choose another name.`);
  }
}

/** The mark that tells an owner's parts from those of others. The uid of a resource is random, and kept. */
export function markOf(uid: string): string {
  return `scope-engine-${uid}`;
}

/** Error for names that are taken. Nothing was made, so the next run begins again. */
export function belongsToOthers(foreign: readonly string[]): EngineError {
  const [isOne, list] = [foreign.length === 1, foreign.join(", ")];
  return new EngineError(
    "NOT_CREATED",
    `The ${list} ${isOne ? "exists and was" : "exist and were"} made by another program. Choose another name, or remove ${isOne ? "it" : "them"} first.`,
  );
}
