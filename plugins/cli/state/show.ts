/** `engine state show`: all that is recorded under a name. */
import { detailOf, inOwnRun, masked, revealed } from "../../../core/admin/index.js";
import { print, printJson } from "../output.js";
import { inClear } from "./in-clear.js";
import { type InState, look } from "./in-state.js";
import { memberLines } from "./member-lines.js";

export async function show(context: InState, name: string): Promise<void> {
  const { app, store, settings, given } = context;
  const { naming } = await look(context);
  const detail =
    given.showSecrets === true
      ? await inOwnRun(app, store, { command: "show" }, (own) => detailOf(naming, name, revealed(own, inClear)))
      : await detailOf(naming, name, masked(app.redact));
  if (given.json === true) return printJson({ app: settings.app, stage: settings.stage, ...detail });
  const { resources, scope } = detail;
  for (const one of scope ? [scope] : resources) {
    const { fqn, ...members } = one;
    print(fqn);
    // Once it is settled, there is no attempt.
    const shown = "attempt" in members && members.attempt === 0 ? { ...members, attempt: undefined } : members;
    for (const line of memberLines(shown)) print(line);
  }
}
