/** `engine state move`: renames a resource or a scope, or moves records to another stage or app. */
import { EngineError } from "../../../core/base/index.js";
import type { MovedTo, MoveToOptions } from "../../admin/operations/index.js";
import { openerOf } from "../../internal/flags/opener.js";
import { written } from "../../internal/flags/table.js";
import { counted } from "../../internal/text/counted.js";
import { textOf } from "../flags.js";
import { print, printJson, say } from "../output.js";
import { approve } from "./approval.js";
import type { InState } from "./in-state.js";

export async function move(context: InState, names: readonly string[]): Promise<void> {
  const { admin, given } = context;
  const { toStage, toApp, all, plan } = given;
  if (toStage !== undefined || toApp !== undefined) return moveTo(context, names);
  const [from, to, ...others] = names;
  if (from === undefined || to === undefined || others.length > 0 || all === true || plan === true) {
    throw new EngineError(
      "INVALID_ARGUMENT",
      `"engine state move" renames with two names, FROM and TO, and no --all or --plan. To move records to another stage or app, add ${written("to-stage")} or ${written("to-app")}.`,
    );
  }
  const moved = await admin.move(from, to, {
    force: given.force === true,
    approve: (what) => approve(given, what.resources, `Move "${what.from}" to "${what.to}"?`),
  });
  if (given.json === true) return printJson({ app: admin.app, stage: admin.stage, ...moved });
  print(
    `"${moved.from}" is "${moved.to}" now, with ${counted(moved.resources.length, "resource")}. Use the new name in the program, too.`,
  );
}

async function moveTo({ app, admin, given }: InState, names: readonly string[]): Promise<void> {
  const isPlan = given.plan === true;
  const moved = await admin.moveTo({
    ...targetIn(given, app.options.env ?? process.env),
    names,
    all: given.all === true,
    force: given.force === true,
    plan: isPlan,
    approve: (what) =>
      approve(
        given,
        linesOf(what),
        `Move ${counted(what.resources.length, "resource")} from "${what.from}" to "${what.to}"?`,
      ),
  });
  if (given.json === true) return printJson({ app: admin.app, stage: admin.stage, planned: isPlan, ...moved });
  const { from, to, resources, wasRecorded } = moved;
  if (isPlan || given.yes === true) for (const line of linesOf(moved)) print(line);
  if (isPlan) return say("Nothing was moved: this is a plan.");
  print(
    wasRecorded
      ? `An interrupted move from "${from}" to "${to}" had recorded everything, and is finished now.`
      : `${counted(resources.length, "resource")} moved from "${from}" to "${to}".`,
  );
  say(
    `Declare them in the program for "${to}" before its next run, which otherwise deletes them, and no longer for "${from}".`,
  );
}

/** The target with its password or key, from the command line, else from the environment. */
function targetIn(
  { toStage, toApp, toPasswordFile, toKeyFile }: InState["given"],
  env: Readonly<Record<string, string | undefined>>,
): MoveToOptions {
  const [stage, app, passwordFile, keyFile] = [toStage, toApp, toPasswordFile, toKeyFile].map(textOf);
  const named = { ...(stage === undefined ? {} : { stage }), ...(app === undefined ? {} : { app }) };
  const passwordFlag = written("to-password-file");
  if (passwordFile !== undefined)
    return { ...named, ...openerOf({ from: "passwordFile", text: passwordFile, flag: passwordFlag }) };
  if (keyFile !== undefined)
    return { ...named, ...openerOf({ from: "keyFile", text: keyFile, flag: written("to-key-file") }) };
  const { ENGINE_TO_PASSWORD, ENGINE_TO_KEY } = env;
  if (ENGINE_TO_PASSWORD) return { ...named, password: ENGINE_TO_PASSWORD };
  return ENGINE_TO_KEY ? { ...named, key: ENGINE_TO_KEY } : named;
}

function linesOf({ from, to, isNew, resources, scopes, dependencies, dependents, unread, hasOutputs }: MovedTo) {
  return [
    ...resources.map((one) => `${one.from}  (${one.kind})  to ${one.to}`),
    ...scopes.map((fqn) => `${fqn}/  (data of the scope)`),
    ...(isNew ? [`"${to}" has no state yet: the move creates it`] : []),
    ...dependencies.map((fqn) => `stays, although a moved resource refers to it: ${fqn}`),
    ...dependents.map((fqn) => `refers to a moved resource: ${fqn}`),
    ...unread.map((fqn) => `cannot be searched for references: ${fqn}`),
    ...(hasOutputs
      ? [`"${from}" keeps its outputs: stages that read them with engine.ref() see the present values`]
      : []),
  ];
}
