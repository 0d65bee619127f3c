/** The host that is meant where none is named. */
const DEFAULT_HOST = "registry.opentofu.org/";

/** Of what a kind begins with. */
export function sourceNamed(name: string): string {
  return name.split("/").length > 2 ? name : `${DEFAULT_HOST}${name}`;
}

/** As kinds and messages have it, e.g. `cyrilgdn/postgresql`. */
export function sourceName(source: string): string {
  return source.startsWith(DEFAULT_HOST) ? source.slice(DEFAULT_HOST.length) : source;
}
