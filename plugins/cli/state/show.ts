/** `engine state show`: all that is recorded under a name. */
import { print, printJson } from "../output.js";
import type { InState } from "./in-state.js";
import { memberLines } from "./member-lines.js";

export async function show({ admin, given }: InState, name: string): Promise<void> {
  const detail = await admin.show(name, { secrets: given.showSecrets === true });
  if (given.json === true) return printJson({ app: admin.app, stage: admin.stage, ...detail });
  const { resources, scope } = detail;
  for (const one of scope ? [scope] : resources) {
    const { fqn, ...members } = one;
    print(fqn);
    // Once it is settled, there is no attempt.
    const shown = "attempt" in members && members.attempt === 0 ? { ...members, attempt: undefined } : members;
    for (const line of memberLines(shown)) print(line);
  }
}
