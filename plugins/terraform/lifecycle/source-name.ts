/** The default host. */
const DEFAULT_HOST = "registry.opentofu.org/";

/** Returns the source for the beginning of a kind. */
export function sourceNamed(name: string): string {
  return name.split("/").length > 2 ? name : `${DEFAULT_HOST}${name}`;
}

/** Returns a source in the form of kinds and messages, e.g. `cyrilgdn/postgresql`. */
export function sourceName(source: string): string {
  return source.startsWith(DEFAULT_HOST) ? source.slice(DEFAULT_HOST.length) : source;
}
