/** Starts a provider of a run, as the lock file says. */
import { INTERNALS } from "../../../core/contract/index.js";
import { launchProvider } from "../protocol/index.js";
import { resolveProvider } from "../registry/index.js";
import type { OpenProvider } from "./connections.js";
import { lockFileOf } from "./lock-file-of-run.js";
import { logFile, ProviderLog } from "./provider-log.js";
import { sourceName } from "./source-name.js";

/** @throws EngineError `PROVIDER_MISSING`, `PROVIDER_UNVERIFIED`, `PROVIDER_FAILED`, `PACKAGE_MISSING` */
export const openInRun: OpenProvider = async (source, env, surroundings) => {
  const { scope, signal, log } = surroundings;
  const { rootDir, verbose } = scope[INTERNALS].options;
  const name = sourceName(source);
  // Also where a command runs the program: then it stands in the place of the command.
  const lockFile = lockFileOf(rootDir, process.argv[1]);
  const command = await resolveProvider(lockFile, source, { report: log, signal });
  const file = new ProviderLog(rootDir, name, surroundings.redact);
  const client = await launchProvider({
    command,
    env,
    folder: rootDir,
    name,
    signal,
    logFile: logFile(name),
    log: (level, text) => {
      file.add(level, text);
      if (verbose) log(`${name}: ${text}`);
    },
  });
  return client;
};
