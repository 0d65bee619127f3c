/**
 * Whom recorded data belongs to: a resource by its uid, a scope by its path behind a slash, a plugin by its name behind
 * a dollar sign; what a stage offers to others, and the names of what it retained, are its own.
 */

/** @param path of the scope within the stage; empty for the root */
export function scopeOwner(path: string): string {
  return `/${path}`;
}

export function isScopeOwner(owner: string): boolean {
  return owner.startsWith("/");
}

export function pluginOwner(name: string): string {
  return `$${name}`;
}

export function isPluginOwner(owner: string): boolean {
  return owner.startsWith("$");
}

export const outputsOwner = "@outputs";

/** Names of retained resources, which no record has any more. */
export const retainedOwner = "@retained";

export function isResourceOwner(owner: string): boolean {
  return !isScopeOwner(owner) && !isPluginOwner(owner) && !owner.startsWith("@");
}
