/**
 * Node's cryptography, loaded with its first use: it takes Node as long as all of the engine's code, and whoever only imports the
 * engine needs none of it.
 */
type Crypto = typeof import("node:crypto");

let loaded: Crypto | undefined;

/** @internal Its type is Node's own, which not every project has. */
export function nodeCrypto(): Crypto {
  loaded ??= process.getBuiltinModule("node:crypto");
  return loaded;
}
