/** FQN patterns of the options `target` and `exclude`. Pure. */

type Token =
  | { readonly kind: "character"; readonly character: string }
  /** One character of a name. */
  | { readonly kind: "one" }
  /** Any characters of one name. */
  | { readonly kind: "some" }
  /** Any characters, `/` included. */
  | { readonly kind: "any" }
  /** The tokens before `to` may be missing. */
  | { readonly kind: "perhaps"; readonly to: number };

/** Indexes of tokens that may come next. */
type States = ReadonlySet<number>;

/**
 * A pattern of FQNs, or of paths below the stage. `*` stands for any characters of one name, `?` for one of them, `**`
 * for any across names; all else for itself. It selects its matches and everything below them.
 */
export class TargetPattern {
  readonly text: string;
  /** The pattern with app and stage, unless it begins with wildcards for them. */
  readonly whole: string;
  /** Path within the stage that it stands for; undefined if it has wildcards, or is not such a path. */
  readonly path: string | undefined;
  readonly #tokens: readonly Token[];
  /**
   * States after the app and stage have been read; undefined if it can match neither the stage nor anything below it.
   */
  readonly #start: States | undefined;
  /** True if it matches the stage itself. */
  readonly #isStage: boolean;

  constructor(text: string, app: string, stage: string) {
    this.text = text;
    const trimmed = text.replace(/\/+$/, "");
    const stagePath = `${app}/${stage}/`;
    const asFqn = this.#parsed(trimmed, app, stage);
    const isBelow = asFqn.start === undefined && isPathBelow(trimmed, app, stage);
    this.whole = isBelow ? `${stagePath}${trimmed}` : trimmed;
    const { tokens, start, isStage } = isBelow ? this.#parsed(this.whole, app, stage) : asFqn;
    this.#tokens = tokens;
    this.#start = start;
    this.#isStage = isStage;
    const isPath = !/[*?]/.test(text) && this.whole.startsWith(stagePath);
    this.path = isPath ? this.whole.slice(stagePath.length) : undefined;
  }

  #parsed(text: string, app: string, stage: string) {
    const tokens = tokensOf(text);
    // A pattern without app and stage must not match their names: "**/shop" in the app "shop" would select everything.
    const root = text.startsWith("**/") ? "" : `${app}/${stage}`;
    const read = reading(tokens, closure(tokens, [0]), root);
    const isStage = root !== "" && read.has(tokens.length);
    const start = root === "" ? read : reading(tokens, read, "/");
    return { tokens, isStage, start: start.size > 0 || isStage ? start : undefined };
  }

  /** Returns false if its first two names cannot be those of the app and the stage. */
  get isPossible(): boolean {
    return this.#start !== undefined;
  }

  /** Returns true if it selects a resource. @param key path within the stage */
  selects(key: string): boolean {
    if (this.#isStage) return true;
    let states: States = this.#start ?? new Set();
    for (const character of key) {
      if (character === "/" && this.#isEnd(states)) return true;
      states = reading(this.#tokens, states, character);
      if (states.size === 0) return false;
    }
    return this.#isEnd(states);
  }

  #isEnd(states: States): boolean {
    return states.has(this.#tokens.length);
  }
}

function reading(tokens: readonly Token[], from: States, text: string): States {
  let states = from;
  for (const character of text) states = closure(tokens, after(tokens, states, character));
  return states;
}

function* after(tokens: readonly Token[], states: States, character: string): Iterable<number> {
  for (const state of states) {
    const token = tokens[state];
    switch (token?.kind) {
      case "character":
        if (token.character === character) yield state + 1;
        break;
      case "one":
        if (character !== "/") yield state + 1;
        break;
      case "some":
        if (character !== "/") yield state;
        break;
      case "any":
        yield state;
    }
  }
}

/** Adds the states that can be reached without reading a character, past tokens that may be empty. */
function closure(tokens: readonly Token[], found: Iterable<number>): States {
  const states = new Set(found);
  for (const state of states) {
    const token = tokens[state];
    if (token?.kind === "some" || token?.kind === "any" || token?.kind === "perhaps") states.add(state + 1);
    if (token?.kind === "perhaps") states.add(token.to);
  }
  return states;
}

/** False for an FQN of another app or stage, which must not silently stand for something else. */
function isPathBelow(text: string, app: string, stage: string): boolean {
  const names = text.split("/");
  if (names.some((name) => name === "")) return false;
  return !(names.length > 2 && (names[0] === app || names[1] === stage));
}

/** Many patterns at once: those without wildcards are looked up by path, and only the others are matched. */
export class TargetPatterns {
  readonly all: readonly TargetPattern[];
  /** Patterns without wildcards by their path within the stage. */
  readonly #exact = new Map<string, TargetPattern[]>();
  readonly #others: TargetPattern[] = [];

  constructor(texts: readonly string[], app: string, stage: string) {
    this.all = texts.map((text) => new TargetPattern(text, app, stage));
    for (const pattern of this.all) {
      if (pattern.path === undefined) this.#others.push(pattern);
      else {
        const known = this.#exact.get(pattern.path);
        if (known) known.push(pattern);
        else this.#exact.set(pattern.path, [pattern]);
      }
    }
  }

  /** Returns true if any pattern selects a resource. @param key path within the stage */
  selects(key: string): boolean {
    return pathsTo(key).some((path) => this.#exact.has(path)) || this.#others.some((pattern) => pattern.selects(key));
  }

  /** Returns the patterns that select a resource. @param key path within the stage */
  selecting(key: string): readonly TargetPattern[] {
    const exact = pathsTo(key).flatMap((path) => this.#exact.get(path) ?? []);
    return this.#others.length === 0 ? exact : [...exact, ...this.#others.filter((pattern) => pattern.selects(key))];
  }
}

/** Returns a path and all paths above it. */
export function pathsTo(key: string): readonly string[] {
  const paths = [key];
  for (let end = key.lastIndexOf("/"); end > 0; end = key.lastIndexOf("/", end - 1)) paths.push(key.slice(0, end));
  return paths;
}

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let isFirst = true;
  for (const [part] of text.matchAll(/\*\*\/|\*+|./gsu)) {
    if (part === "**/" && isFirst) {
      // No names at all, or some with their "/".
      tokens.push({ kind: "perhaps", to: tokens.length + 3 }, { kind: "any" }, { kind: "character", character: "/" });
      continue;
    }
    if (part === "**/") tokens.push({ kind: "any" }, { kind: "character", character: "/" });
    else if (part === "?") tokens.push({ kind: "one" });
    else if (part === "*") tokens.push({ kind: "some" });
    else if (part.startsWith("*")) tokens.push({ kind: "any" });
    else tokens.push({ kind: "character", character: part });
    isFirst = part.endsWith("/");
  }
  return tokens;
}
