/** Variables that stand for secrets in an exported configuration. */
import { EngineError } from "../../../core/base/index.js";
import { holdsSecret, type Member, type Secrets, type StatePath } from "./body.js";
import { firstOf, Names } from "./names.js";

export class Variables {
  readonly #names = new Names();
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
      variable: (path, json) => {
        const steps = path.map(({ value }) => (typeof value === "string" ? value : String(value.value)));
        const name = this.#names.give([prefix, ...steps].join("_"));
        this.values.push([name, json]);
        this.owners.add(fqn);
        if (!paths.some((one) => JSON.stringify(one) === JSON.stringify(path))) paths.push(path);
        return name;
      },
    };
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
