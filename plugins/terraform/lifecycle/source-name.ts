/** The host that is meant where none is named. */
const DEFAULT_HOST = "registry.opentofu.org/";

/** As kinds and messages have it, e.g. `cyrilgdn/postgresql`. */
export function sourceName(source: string): string {
  return source.startsWith(DEFAULT_HOST) ? source.slice(DEFAULT_HOST.length) : source;
}
