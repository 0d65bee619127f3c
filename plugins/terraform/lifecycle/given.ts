/** What a program gives with a declaration and is not recorded: arguments that are only written, and what to import. */
import { EngineError } from "../../../core/base/index.js";
import type { HandlerBase, Scope } from "../../../core/contract/index.js";
import { type PropProblem, programPathText, type UndefinedProp } from "../schema/index.js";
import { type OutputSecrets, secretsGiven } from "../sensitive/index.js";
import type { Subject } from "./diagnostics.js";

export interface Given {
  /** Props that are never recorded, set apart from the others. */
  readonly writeOnly?: unknown;
  /** Props that the program passes as undefined: as good as left out, and maybe by mistake. */
  readonly undefinedProps?: readonly UndefinedProp[];
  /** The provider's id of what exists already. */
  readonly importId?: string;
  /** It was recorded when it was declared, and is more than an unfinished create. */
  readonly isRecorded?: boolean;
  /** A resource that is not there to be imported is created. */
  readonly createIfMissing?: boolean;
  /** A replace makes the new one first. Default: false, as many a name can be taken once only. */
  readonly createBeforeDestroy?: boolean;
}

const NONE: Given = {};

const byScope = new WeakMap<Scope, Map<string, Given>>();

export function remember(scope: Scope, id: string, given: Given): void {
  const known = byScope.get(scope) ?? new Map<string, Given>();
  byScope.set(scope, known);
  known.set(id, given);
}

export function givenFor({ scope, id }: { readonly scope: Scope; readonly id: string }): Given {
  return byScope.get(scope)?.get(id) ?? NONE;
}

/** @throws EngineError `INVALID_OPTION` if the create would ignore the id of what is to be taken over */
export function refuseIgnoredImport({
  scope,
  id,
  fqn,
  adopt,
}: Pick<HandlerBase, "scope" | "id" | "fqn" | "adopt">): void {
  const { importId, isRecorded } = givenFor({ scope, id });
  if (importId === undefined || adopt || isRecorded) return;
  const message = `"${fqn}" has an \`importId\`, but the run would create a new resource. To import, add \`adopt: true\` or pass --adopt. To create, remove \`importId\`.`;
  throw new EngineError("INVALID_OPTION", message, { fqn });
}

/**
 * The prop that holds the versions of the provider and of the schema. If one of them is another one than recorded, the resource is updated, so that its
 * output is as the new version has it. No attribute can be called so.
 */
export const VERSION = "$version";

/** The props that are attributes. */
export function attributesIn(props: unknown): Readonly<Record<string, unknown>> {
  const { provider: _provider, [VERSION]: _version, ...attributes } = Object(props);
  return attributes;
}

interface OfResource extends Pick<HandlerBase, "scope" | "id"> {
  readonly props: unknown;
  readonly previous?: unknown;
  readonly output?: unknown;
}

/** What is a secret in the output of a resource. */
export function secretsFor(context: OfResource, { configured }: Pick<Subject, "configured">): OutputSecrets {
  const { props, previous, output: recorded } = context;
  const written = givenFor(context).writeOnly;
  return secretsGiven({ props: attributesIn(props), previous: attributesIn(previous), written, configured, recorded });
}

/** @param whose e.g. the kind of a resource, or a provider */
export function refusedProps(whose: string, problems: readonly PropProblem[]): EngineError {
  const said = problems.map(({ path, message }) =>
    path.length === 0 ? message : `${programPathText(path)} ${message}`,
  );
  return new EngineError("INVALID_PROPS", `${whose}: ${said.join("\n")}`);
}
