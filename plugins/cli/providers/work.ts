import { credentialsOf, providersFolder, schemaOf } from "../../terraform/registry/index.js";
import { confirm, isAsking } from "../ask.js";
import { textOf } from "../flags.js";
import { print, say } from "../output.js";
import type { Given } from "../run-command.js";
import type { ProviderWork } from "./add.js";
import { usedInProgram } from "./program-uses.js";
import { projectAt } from "./provider-project.js";

/** With the cache of this user, and the project that was named. */
export function providerWork(given: Given): ProviderWork {
  return {
    root: providersFolder(process.env),
    credentials: credentialsOf(process.env),
    project: projectAt(textOf(given.entry)),
    schemaOf: (executable) => schemaOf(executable),
    usedIn: usedInProgram,
    print,
    report: say,
    acceptsKey: async (question) => isAsking() && confirm(question),
  };
}
