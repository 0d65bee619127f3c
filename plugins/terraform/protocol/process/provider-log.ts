/** The log of a provider on its standard error: lines of JSON or plain text. */
import { maskedStart } from "../../../secrets/redactor.js";

/** Level of a line in a provider's log. */
export type LogLevel = "trace" | "debug" | "info" | "warn" | "error";

export interface LogLine {
  readonly level: LogLevel;
  readonly text: string;
}

const LEVELS: ReadonlySet<string> = new Set<LogLevel>(["trace", "debug", "info", "warn", "error"]);
/** Maximum characters of a line. The rest is left out. */
const LONGEST = 16 * 1024;
/** Maximum characters to pass on per second. */
const IN_A_SECOND = 4 * 1024 * 1024;
const SECOND = 1_000;

/** Fields that are not useful to readers. */
const UNSHOWN = new Set(["@level", "@message", "@module", "@timestamp", "@caller"]);

export function logLineOf(line: string): LogLine {
  const fields = line.startsWith("{") ? parsed(line) : undefined;
  const message = fields?.["@message"];
  if (!fields || typeof message !== "string") return plainLine(line);
  const shown = Object.entries(fields).filter(([name]) => !UNSHOWN.has(name));
  const origin = typeof fields["@module"] === "string" ? `${fields["@module"]}: ` : "";
  const text = [`${origin}${message}`, ...shown.map(([name, value]) => `${name}=${asText(value)}`)].join(" ");
  return { level: levelOf(String(fields["@level"]).toLowerCase()), text: shortened(text) };
}

/** Lines of Go's own log begin with a level in brackets, some with a date before it. A crash has none. */
function plainLine(line: string): LogLine {
  const [, level = "info"] = /^(?:[\d/:.TZ+ -]*)\[(\w+)\]/.exec(line.slice(0, 100)) ?? [];
  return { level: isCrash(line) ? "error" : levelOf(level.toLowerCase()), text: shortened(line) };
}

/** True for the first line of a crash, which gives the reason. The stack trace follows it. */
export function isCrash(line: string): boolean {
  return /^(panic|fatal error|Error): /.test(line);
}

/** Limits the rate of a log. It replaces excess lines by their number. */
export class LogGate {
  readonly #log: (level: LogLevel, text: string) => void;
  readonly #now: () => number;
  #since: number;
  #passed = 0;
  #leftOut = 0;

  constructor(log: (level: LogLevel, text: string) => void, now: () => number) {
    this.#log = log;
    this.#now = now;
    this.#since = now();
  }

  addLine(line: string): void {
    const now = this.#now();
    if (now - this.#since >= SECOND) {
      this.reportLeftOut();
      this.#since = now;
      this.#passed = 0;
    }
    this.#passed += line.length;
    if (this.#passed > IN_A_SECOND) {
      this.#leftOut++;
      return;
    }
    const { level, text } = logLineOf(line);
    this.#log(level, text);
  }

  /** Logs the number of lines left out so far. */
  reportLeftOut(): void {
    if (this.#leftOut > 0) this.#log("warn", `[${this.#leftOut} lines left out: more than 4 MiB of log in a second]`);
    this.#leftOut = 0;
  }
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return Object(JSON.parse(line));
  } catch {
    return undefined;
  }
}

function levelOf(text: string): LogLevel {
  return isLevel(text) ? text : "info";
}

function isLevel(text: string): text is LogLevel {
  return LEVELS.has(text);
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

function shortened(text: string): string {
  return text.length <= LONGEST ? text : `${maskedStart(text, LONGEST)}… (${text.length - LONGEST} more characters)`;
}
