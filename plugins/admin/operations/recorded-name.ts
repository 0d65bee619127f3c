/** Finds records by the names that people use: an FQN, a path below the stage, or a unique id. Pure. */
import { EngineError, nearest } from "../../../core/base/index.js";
import { isScopeOwner } from "../../../core/contract/index.js";
import { TargetPattern } from "../../../core/options/index.js";
import type { Contents } from "../../../core/state/index.js";

/** The state that names are looked up in. */
export interface Naming {
  readonly app: string;
  readonly stage: string;
  readonly contents: Contents;
}

/** Returns the key of a record, if one has that name. @throws EngineError `INVALID_ARGUMENT` if several have it */
export function knownKey(naming: Naming, name: string): string | undefined {
  const { contents } = naming;
  const path = pathIn(naming, name);
  const exact = [path, name].find((key) => key !== undefined && contents.at(key));
  if (exact !== undefined) return exact;
  const keys = [...new Set([...contents.records.values()].map(({ key }) => key))];
  // An old copy that is not deleted yet has no other name.
  if (path !== undefined && keys.includes(path)) return path;
  const found = name.includes("/") ? [] : keys.filter((key) => key.endsWith(`/${name}`));
  if (found.length < 2) return found[0];
  const list = found.map((key) => `"${fqnOf(naming, key)}"`).join(", ");
  throw new EngineError("INVALID_ARGUMENT", `"${name}" is the id of several resources: ${list}. Pass the full name.`);
}

/** Returns the path of a recorded scope, which is empty for the stage itself; undefined if there is none. */
export function knownScope(naming: Naming, name: string): string | undefined {
  const path = pathIn(naming, name.replace(/\/+$/, ""));
  if (path === undefined || path === "") return path;
  return scopesIn(naming.contents).has(path) ? path : undefined;
}

/** Returns the paths of all recorded scopes and of the scopes around them. */
export function scopesIn({ records, data }: Contents): ReadonlySet<string> {
  const owners = [...data.keys()].filter(isScopeOwner).map((owner) => owner.slice(1));
  const folders = [...records.values()].map(({ key }) => key.slice(0, Math.max(0, key.lastIndexOf("/"))));
  const paths = new Set<string>();
  for (const path of [...owners, ...folders]) {
    for (let at = path; at !== "" && !paths.has(at); at = at.slice(0, Math.max(0, at.lastIndexOf("/")))) paths.add(at);
  }
  return paths;
}

/** Returns the path below the stage, which is empty for the stage itself; undefined for a name in another stage. */
export function pathIn({ app, stage }: Pick<Naming, "app" | "stage">, name: string): string | undefined {
  const root = `${app}/${stage}`;
  if (name === root) return "";
  if (name.startsWith(`${root}/`)) return name.slice(root.length + 1);
  return name.startsWith(`${app}/`) && name.split("/").length > 2 ? undefined : name;
}

export function fqnOf({ app, stage }: Pick<Naming, "app" | "stage">, key: string): string {
  return key === "" ? `${app}/${stage}` : `${app}/${stage}/${key}`;
}

/**
 * Parses a glob of FQNs or of paths below the stage, or a unique id.
 *
 * @throws EngineError `NOT_RECORDED` if it matches nothing; `INVALID_ARGUMENT` if several resources have the id
 */
export function patternNamed(naming: Naming, text: string): TargetPattern {
  const { app, stage, contents } = naming;
  const pattern = patternOf(naming, text);
  const matches = (path: string): boolean => pattern.selects(path);
  if ([...contents.records.values()].some(({ key }) => matches(key)) || [...scopesIn(contents)].some(matches))
    return pattern;
  const key = knownKey(naming, text);
  if (key !== undefined) return new TargetPattern(fqnOf(naming, key), app, stage);
  throw notRecorded(naming, text);
}

export function notRecorded(naming: Naming, name: string): EngineError {
  const keys = [...naming.contents.records.values()].map(({ key }) => key);
  const names = [...new Set([...keys, ...scopesIn(naming.contents)])];
  const ids = names.map((key) => key.slice(key.lastIndexOf("/") + 1));
  const path = pathIn(naming, name) ?? name;
  const near = nearest(path, names) ?? names[ids.indexOf(nearest(path, ids) ?? "")];
  const hint = near === undefined ? `"engine state list" shows all names.` : `Did you mean "${fqnOf(naming, near)}"?`;
  return new EngineError("NOT_RECORDED", `Nothing is recorded under "${name}" in "${fqnOf(naming, "")}". ${hint}`);
}

/** Returns a test for paths that match a glob of FQNs or of paths below the stage. */
export function selectorOf(at: Pick<Naming, "app" | "stage">, text: string): (path: string) => boolean {
  const pattern = patternOf(at, text);
  return (path) => pattern.selects(path);
}

/** A name that a run would take for an FQN of another stage is a path here, because it names nothing else. */
function patternOf(at: Pick<Naming, "app" | "stage">, text: string): TargetPattern {
  const pattern = new TargetPattern(text, at.app, at.stage);
  return pattern.isPossible ? pattern : new TargetPattern(fqnOf(at, text), at.app, at.stage);
}
