/** Paths of scopes, and keys of resources. Pure. */

/** True for a path and all paths below it. */
export function below(path: string): (other: string) => boolean {
  if (path === "") return () => true;
  return (other) => other === path || other.startsWith(`${path}/`);
}

/** All of a stage. */
export const everywhere = below("");

/** The path of what has a name in a scope. @param folder path of the scope, "" for the root */
export function joined(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}
