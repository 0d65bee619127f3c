/** Parts of a declaration that are not recorded, such as write-only arguments and the id to import. */
import { EngineError } from "../../../core/base/index.js";
import type { HandlerBase, Scope } from "../../../core/contract/index.js";
import { type PropProblem, programPathText, type UndefinedProp } from "../schema/index.js";
import { type OutputSecrets, secretsGiven } from "../sensitive/index.js";
import type { Subject } from "./diagnostics.js";

export interface Given {
  /** Write-only props, which are never recorded. */
  readonly writeOnly?: unknown;
  /** Props that the program passes as undefined, maybe by mistake. They count as left out. */
  readonly undefinedProps?: readonly UndefinedProp[];
  /** The provider's id of an existing resource. */
  readonly importId?: string;
  /** True if it had a record other than an unfinished create when it was declared. */
  readonly isRecorded?: boolean;
  /** Creates the resource if there is none to import. */
  readonly createIfMissing?: boolean;
  /** A replace creates the new resource first. Default: false, because many names can be used only once. */
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

/** @throws EngineError `INVALID_OPTION` if the create would ignore the `importId` */
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
 * The prop that holds the versions of the provider and of the schema. If one of them differs from its record, the
 * engine updates the resource, so that its output has the form of the new version. No attribute can have this name.
 */
export const VERSION = "$version";

/** Returns the props that are attributes. */
export function attributesIn(props: unknown): Readonly<Record<string, unknown>> {
  const { provider: _provider, [VERSION]: _version, ...attributes } = Object(props);
  return attributes;
}

interface OfResource extends Pick<HandlerBase, "scope" | "id"> {
  readonly props: unknown;
  readonly previous?: unknown;
  readonly output?: unknown;
}

/** Returns the secrets to hide in the output of a resource. */
export function secretsFor(context: OfResource, { configured }: Pick<Subject, "configured">): OutputSecrets {
  const { props, previous, output: recorded } = context;
  const written = givenFor(context).writeOnly;
  return secretsGiven({ props: attributesIn(props), previous: attributesIn(previous), written, configured, recorded });
}

/** Returns one error for all problems. @param whose e.g. the kind of a resource, or a provider */
export function refusedProps(whose: string, problems: readonly PropProblem[]): EngineError {
  const said = problems.map(({ path, message }) =>
    path.length === 0 ? message : `${programPathText(path)} ${message}`,
  );
  return new EngineError("INVALID_PROPS", `${whose}: ${said.join("\n")}`);
}
