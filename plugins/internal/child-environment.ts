/** Variables for the programs that the engine starts. */

/** What opens the secrets of stages: no program that the engine starts gets it unasked. */
const KEPT_BACK = new Set([
  "ENGINE_PASSWORD",
  "ENGINE_NEW_PASSWORD",
  "ENGINE_SCOPE_PASSWORD",
  "ENGINE_KEY",
  "ENGINE_NEW_KEY",
  "ENGINE_SCOPE_KEY",
]);

/**
 * Everything that a child gets: the variables of this process, but for the passwords and keys of stages, and those that are given,
 * whatever they are.
 *
 * @param isKeptBack true for the name, in capitals, of a variable of this process that this child does not get either
 */
export function childEnvironment(
  env: Readonly<Record<string, string>> = {},
  isKeptBack: (name: string) => boolean = () => false,
): Record<string, string | undefined> {
  // Windows takes names for the same that differ in their case.
  const ours = Object.entries(process.env).filter(([given]) => {
    const name = given.toUpperCase();
    return !KEPT_BACK.has(name) && !isKeptBack(name);
  });
  return { ...Object.fromEntries(ours), ...env };
}
