/** What plugins have against something that is about to be done, collected while a hook asks them. */
import { EngineError } from "../base/index.js";
import type { Vetoing } from "../contract/index.js";

const SPEAKER = Symbol("speaker");

interface Speaking {
  [SPEAKER](plugin: string): void;
}

/** Notes whose tap has the word. */
export function giveWord(context: unknown, plugin: string): void {
  if (typeof context === "object" && context !== null && SPEAKER in context) (context as Speaking)[SPEAKER](plugin);
}

/** What is asked about, e.g. `"shop/dev/db" may not be created`. */
export interface Question {
  readonly refusal: string;
  readonly fqn: string;
  readonly planned: boolean;
}

/** Asks, with what a context needs for an answer. @throws EngineError `VETOED` with every reason; or what a tap threw */
export async function askForVetoes(
  { refusal, fqn, planned }: Question,
  ask: (vetoing: Vetoing) => Promise<void>,
): Promise<void> {
  const reasons: { readonly plugin: string; readonly reason: string }[] = [];
  let speaker = "";
  const vetoing: Vetoing & Speaking = {
    planned,
    isVetoed: () => reasons.length > 0,
    veto: (reason) => void reasons.push({ plugin: speaker, reason: String(reason) }),
    [SPEAKER](plugin) {
      speaker = plugin;
    },
  };
  let failure: unknown;
  try {
    await ask(vetoing);
  } catch (error) {
    // What others have against it stands.
    if (reasons.length === 0) throw error;
    failure = error;
  }
  const [first, ...rest] = reasons;
  if (first === undefined) return;
  const said = reasons.map(({ plugin, reason }) => `${reason} (plugin "${plugin}")`);
  const list = rest.length === 0 ? ` ${said[0]}` : said.map((one) => `\n  - ${one}`).join("");
  throw new EngineError("VETOED", `${refusal}:${list}`, { fqn, cause: failure });
}
