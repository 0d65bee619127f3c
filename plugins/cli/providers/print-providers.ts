/** What `engine providers` and `engine providers verify` print. */
import { print, printJson, printLines, say } from "../output.js";
import type { Given } from "../run-command.js";
import { counted } from "../state/approval.js";
import { table } from "../table.js";
import { COLUMNS, type ListedProvider, listProviders } from "./list-providers.js";
import { providerWork } from "./work.js";

export async function list(given: Given): Promise<void> {
  const found = await listProviders({ ...providerWork(given), newest: true });
  await printFound(found, given);
}

/** 1 where one of them is not what the lock file says. */
export async function verify(given: Given): Promise<void> {
  const found = await listProviders(providerWork(given));
  await printFound(found, given);
  const wrong = found.filter(({ standing }) => standing === "other");
  if (wrong.length === 0) return;
  say(
    `${counted(wrong.length, "provider")} in the cache ${wrong.length === 1 ? "is" : "are"} not what the lock file says. The next run downloads it again.`,
  );
  process.exitCode = 1;
}

async function printFound(found: readonly ListedProvider[], { json }: Given): Promise<void> {
  if (json === true) printJson({ providers: found });
  else if (found.length === 0) print("There are no providers. Add one: engine add namespace/type");
  else printLines(await table(found, COLUMNS));
  if (json !== true) for (const { problem } of found) if (problem !== undefined) say(problem);
}
