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

interface Objection {
  readonly plugin: string;
  readonly reason: string;
}

/** What is asked about, e.g. `"shop/dev/db" may not be created`. */
export interface Question {
  readonly refusal: string;
  readonly fqn: string;
  readonly planned: boolean;
  /** Told of a veto that comes when all taps have ended, and so could refuse nothing. */
  late(error: EngineError): void;
}

/** Asks, with what a context needs for an answer. @throws EngineError `VETOED` with every reason; or what a tap threw */
export async function askForVetoes(
  { refusal, fqn, planned, late }: Question,
  ask: (vetoing: Vetoing) => Promise<void>,
): Promise<void> {
  const reasons: Objection[] = [];
  const speakers = new Set<string>();
  let speaker = "";
  let isOver = false;
  const vetoing: Vetoing & Speaking = {
    planned,
    isVetoed: () => reasons.length > 0,
    veto(reason) {
      const objection = { plugin: speaker, reason: reasonText(reason) };
      if (isOver) late(tooLate(refusal, objection.reason, [...speakers], fqn));
      else reasons.push(objection);
    },
    [SPEAKER](plugin) {
      speaker = plugin;
      speakers.add(plugin);
    },
  };
  let failure: unknown;
  try {
    await ask(vetoing);
  } catch (error) {
    // What others have against it stands.
    if (reasons.length === 0) throw error;
    failure = error;
  } finally {
    isOver = true;
  }
  const [first, ...rest] = reasons;
  if (first === undefined) return;
  const said = reasons.map(objectionText);
  const list = rest.length === 0 ? ` ${said[0]}` : said.map((one) => `\n  - ${one}`).join("");
  throw new EngineError("VETOED", `${refusal}:${list}`, { fqn, cause: failure });
}

/** A veto without a reason refuses all the same. */
function reasonText(reason: unknown): string {
  return reason === undefined || reason === "" ? "no reason was given" : String(reason);
}

function objectionText({ plugin, reason }: Objection): string {
  return `${reason} (plugin "${plugin}")`;
}

/** Which of the taps it was, nobody can tell any more. */
function tooLate(refusal: string, reason: string, speakers: readonly string[], fqn: string): EngineError {
  const names = speakers.map((name) => `"${name}"`).join(", ");
  const whose = speakers.length === 1 ? `plugin ${names}` : `one of the plugins ${names}`;
  const message = `${refusal}: ${reason} (${whose}). This veto came when all taps had ended, and refused nothing. Let the tap await what it asks.`;
  return new EngineError("PLUGIN_FAILED", message, { fqn });
}
