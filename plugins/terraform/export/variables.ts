/** Variables that stand for secrets in an exported configuration. */
import { EngineError } from "../../../core/base/index.js";
import { holdsSecret, type Member, type Secrets, type StatePath } from "./body.js";
import { firstOf, Names } from "./names.js";

/** True for the name of a variable of the environment, which a secret of `engine.secret.env` has. */
const isVariable = (name: string): boolean => /^[A-Z][A-Z0-9_]*$/.test(name);

export class Variables {
  readonly #names = new Names();
  /** Names by secret. */
  readonly #known = new Map<string, string>();
  /** Names with the JSON of their values. */
  readonly values: Member[] = [];
  /** FQNs of resources with secrets. */
  readonly owners = new Set<string>();

  /**
   * @param prefix of the names
   * @param paths gets the paths of the secrets
   */
  of(fqn: string, prefix: string, paths: StatePath[] = []): Secrets {
    return {
      variable: (path, json, secret) => {
        const steps = path.map(({ value }) => (typeof value === "string" ? value : String(value.value)));
        const own = secret !== undefined && isVariable(secret) ? secret.toLowerCase() : undefined;
        const name = this.#named(own ?? [prefix, ...steps].join("_"), json, own);
        this.owners.add(fqn);
        if (!paths.some((one) => JSON.stringify(one) === JSON.stringify(path))) paths.push(path);
        return name;
      },
    };
  }

  /** Equal secrets share a variable, unless they have several names. @param of name that the program gave it */
  #named(wanted: string, json: string, of = ""): string {
    const key = `${of} ${json}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const name = this.#names.give(wanted);
    this.#known.set(key, name);
    this.values.push([name, json]);
    return name;
  }

  /** Remembers a resource whose recorded values hold a secret. */
  noteSecrets(fqn: string, ...values: readonly unknown[]): void {
    if (values.some(holdsSecret)) this.owners.add(fqn);
  }

  /** @throws EngineError `INVALID_ARGUMENT` if there is a secret */
  refuse(stage: string): void {
    const names = [...this.owners].sort().map((fqn) => `"${fqn}"`);
    if (names.length === 0) return;
    throw new EngineError(
      "INVALID_ARGUMENT",
      `Nothing was exported from "${stage}": Terraform's state holds secrets in plain text, and there are secrets in ${firstOf(names)}. To write them, pass --show-secrets (showSecrets: true), and keep the files private.`,
    );
  }
}
