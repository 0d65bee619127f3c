/** `engine import`: reads, checks, settles, records, and writes, in this order. */
import { basename, relative, resolve } from "node:path";
import { EngineError, nameProblem } from "../../../core/base/index.js";
import { readAdoptionList } from "../../import/adoption-list.js";
import { checkImported } from "../../import/check.js";
import type { Imported, ReadSettings, Refusal } from "../../import/contract.js";
import { clipped } from "../../import/failure.js";
import { settlePlain } from "../../import/plain/settle-plain.js";
import { printProgram } from "../../import/print/print-program.js";
import type { Program } from "../../import/program/program.js";
import type { SettledProject } from "../../import/program/settled.js";
import { readFolder, readSource } from "../../import/readers.js";
import { roundedSecrets, secretIn } from "../../import/secret-in.js";
import { counted } from "../../internal/text/counted.js";
import { plainLine } from "../../internal/text/plain-text.js";
import { shellWord } from "../../internal/text/shell-word.js";
import { objectName } from "../../terraform/generate/index.js";
import type { ProviderWork } from "../providers/add.js";
import { OpenProviders } from "./open-providers.js";
import { checkFiles, checkTarget, incomplete, writeFiles } from "./program-files.js";
import { configsIn } from "./provider-configs.js";
import { keysIn, recordProgram } from "./record.js";
import { differingFiles } from "./recorded-types.js";
import { replaying } from "./replay.js";
import { secretBySchema, settleAll } from "./settle-project.js";
import { sourceText } from "./source-text.js";
import { checkStage, type StageOptions } from "./stage.js";
import { withLoops } from "./with-loops.js";

export interface ImportRequest {
  readonly source: string;
  /** True if the source is a list of resources to adopt. */
  readonly isList: boolean;
  /** Folder of the program. */
  readonly folder: string;
  /** Name of the app. Default: that of the folder. */
  readonly app: string | undefined;
  /** Shows the result and writes nothing. */
  readonly plan: boolean;
  /** The command that does the same import again. */
  readonly command: string;
  readonly providerConfig: string | undefined;
  readonly mirror: string | undefined;
  /** Types at Terraform providers, as `TOKEN=TYPE` of Pulumi. */
  readonly types: readonly string[];
  readonly options: StageOptions;
}

export interface ImportResult {
  readonly resources: number;
  readonly dataSources: number;
  /** FQNs below the stage. */
  readonly keys: readonly string[];
  readonly files: ReadonlyMap<string, string>;
  /** Names of the modules of types and of their lock file. */
  readonly providerFiles: readonly string[];
  /** Variables of the environment that the program needs, and the addresses that use each. */
  readonly variables: ReadonlyMap<string, readonly string[]>;
  readonly notes: readonly string[];
  /** True if the stage had exactly this import already. */
  readonly wasRecorded: boolean;
  /** FQN of the stage, e.g. `shop/prod`. */
  readonly fqn: string;
}

export async function importProject(request: ImportRequest, work: ProviderWork): Promise<ImportResult> {
  const { folder, plan, options } = request;
  checkTarget(folder);
  const passphrase = process.env.ENGINE_IMPORT_PASSPHRASE;
  const { place, text, versions } = await sourceText(request.source, {
    profile: options.profile,
    isList: request.isList,
  });
  const types = typesIn(request.types);
  const imported = await readAny(text, { place, types, ...(passphrase ? { passphrase } : {}) }, request);
  for (const token of types.keys()) checkToken(token, imported);
  refuse(imported, checkImported(imported));
  const app = nameOf(request, imported);
  const stage = { ...options, rootDir: options.rootDir ?? folder };
  const requireKey = await checkStage(app, stage);
  requireKey(() => secretIn(imported));
  const configs = await configsIn(request.providerConfig);
  const providers = new OpenProviders();
  try {
    await providers.open(imported, {
      work,
      configs,
      versions,
      ...(request.mirror === undefined ? {} : { mirror: request.mirror }),
    });
    requireKey(() => secretBySchema(imported, providers));
    const settled = await settleAll(imported, providers);
    const plain = settlePlain(imported.resources, imported.source.tool);
    refuse(imported, [
      ...settled.refusals,
      ...roundedSecrets([...settled.resources, ...plain.resources], imported.outputs),
      ...(await differingFiles(plain.resources, resolve(stage.rootDir))),
    ]);
    const project: SettledProject = {
      app,
      providers: providers.all.map(({ id, isNamed, module, functionName, config, show, added }) => ({
        id,
        isNamed,
        module,
        functionName,
        typeName: objectName(added.type),
        config,
        show,
      })),
      resources: [...settled.resources, ...plain.resources],
      outputs: imported.outputs,
      ...(imported.dependencies && { dependencies: imported.dependencies }),
    };
    const { program, values } = await withLoops(project, settled, providers);
    const printed = printProgram(program, originOf(imported, request.isList));
    const files = new Map([...plain.files, ...printed.files]);
    checkFiles(folder, files);
    const clients = new Map(
      providers.all.map(({ id, definition, client }) => {
        return [id, { definition, client: replaying(client, values.get(client) ?? new Map()) }];
      }),
    );
    const recording = { program, folder, together: printed.together, options: stage, providers: clients };
    const { wasRecorded, fqn } = await recordProgram(recording, plan);
    if (!plan) {
      // A refused record leaves no file.
      try {
        await providers.write(work);
        writeFiles(folder, files);
      } catch (error) {
        throw incomplete({ folder, files, fqn, command: request.command }, error);
      }
    }
    const notes = [
      ...imported.notes,
      ...providers.notes(configs),
      ...settled.choices.notes,
      ...plain.notes,
      ...stageNote(imported, options),
    ];
    const { lockFile } = work.project;
    const providerFiles = providers.files(relative(folder, lockFile));
    return resultOf({ ...imported, notes }, { program, files, providerFiles, wasRecorded, fqn });
  } finally {
    await providers.close();
  }
}

function typesIn(given: readonly string[]): ReadonlyMap<string, string> {
  const pairs = given.map((one) => {
    const [, token, type] = /^([^=]+)=(\w+)$/.exec(one) ?? [];
    if (token === undefined || type === undefined) throw wrongType(`"${one}" is not TOKEN=TYPE.`);
    return [token, type] as const;
  });
  return new Map(pairs);
}

/** @throws EngineError `INVALID_ARGUMENT` for a token that `--type` cannot change */
function checkToken(token: string, { resources, source: { place } }: Imported): void {
  const own = resources.filter(({ type }) => type === token);
  if (own.some(({ value }) => value.by === "bridge")) return;
  if (own.length === 0) throw wrongType(`"${place}" has no resource of the type "${token}". Copy the type from it.`);
  throw new EngineError(
    "INVALID_ARGUMENT",
    `The engine knows no Terraform provider for the package "${token.split(":")[0]}", so resources of the type "${token}" become stubs. Leave out: --type ${token}=…`,
  );
}

function wrongType(why: string): EngineError {
  const example = "--type aws:rds/instance:Instance=aws_db_instance";
  return new EngineError("INVALID_ARGUMENT", `${why} An example: ${example}.`);
}

function stageNote({ source: { stage } }: Imported, options: StageOptions): readonly string[] {
  const own = options.stage ?? process.env.ENGINE_STAGE;
  if (stage === undefined || own === stage) return [];
  return [`The source's stage is "${stage}". Name the same one here, if you like: --stage ${shellWord(stage)}.`];
}

function readAny(
  text: string | undefined,
  settings: ReadSettings,
  { isList }: Pick<ImportRequest, "isList">,
): Promise<Imported> {
  if (text === undefined) return readFolder(settings);
  return isList ? readAdoptionList(text, settings) : readSource(text, settings);
}

interface Made {
  readonly program: Program;
  readonly files: ReadonlyMap<string, string>;
  readonly providerFiles: readonly string[];
  readonly wasRecorded: boolean;
  readonly fqn: string;
}

function resultOf({ resources, dataSources, notes }: Imported, { program, ...made }: Made): ImportResult {
  const own = [...program.variables].map(([name, { usedBy }]) => [name, usedBy] as const);
  return {
    resources: resources.length,
    dataSources: dataSources.length,
    keys: keysIn(program.root),
    variables: new Map(own),
    notes,
    ...made,
  };
}

/** Most refusals that a message names. */
const SHOWN = 20;

/** @throws EngineError `IMPORT_REFUSED` that names each part that cannot be carried over */
function refuse({ source: { place, isList } }: Imported, refusals: readonly Refusal[]): void {
  if (refusals.length === 0) return;
  const lines = refusals
    .slice(0, SHOWN)
    .map(({ address, reason, advice }) =>
      clipped(`  ${plainLine(`${address}: ${reason.replace(/\.+$/, "")}. ${advice}`)}`),
    );
  const more = refusals.length > SHOWN ? [`  and ${refusals.length - SHOWN} more`] : [];
  const count = refusals.length;
  const head = isList
    ? `This command adopted nothing from "${place}", because ${count} of its resources cannot be adopted:`
    : `This command imported nothing from "${place}", because ${counted(count, "part")} of it cannot be carried over:`;
  throw new EngineError("IMPORT_REFUSED", [head, ...lines, ...more].join("\n"));
}

/** @throws EngineError `INVALID_NAME` if the folder has no usable name */
function nameOf({ app, folder }: ImportRequest, { source }: Imported): string {
  const name = app ?? source.app ?? basename(resolve(folder));
  const problem = nameProblem(name);
  if (problem === undefined) return name;
  throw new EngineError("INVALID_NAME", `The app cannot be named "${name}": ${problem}. Name it with --name.`);
}

function originOf({ source: { tool, toolVersion, place } }: Imported, isList: boolean): string {
  const version = toolVersion === undefined ? "" : ` ${toolVersion}`;
  const from = place === "standard input" ? "" : ` in ${basename(place)}`;
  const [of, command] = isList ? ["list", "adopt"] : [`state of ${tool}${version}`, "import"];
  return `The resources of a ${of}${from}, as \`engine ${command}\` wrote them.`.replaceAll("*/", "* /");
}
