/** The page: one HTML file with all that it needs. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { EngineError, ownFile } from "../../../core/base/index.js";

/** Where a run stands in the page. */
const PLACE = "<!--run-->";
/** Of the built package. */
const PAGE = "dist/plugins/ui/page/index.html";

/** A page, and what it may do. */
export interface Page {
  readonly html: string;
  /** Value of the header `Content-Security-Policy`. */
  readonly policy: string;
}

/** @throws EngineError `INVALID_CALL` where the package was not built */
export async function builtPage(): Promise<string> {
  const file = ownFile(PAGE);
  return readFile(file, "utf8").catch((cause: unknown) => {
    const message = `The page is missing: "${file.pathname}". Build the package, or install it anew.`;
    throw new EngineError("INVALID_CALL", message, { cause });
  });
}

/** Only its own scripts run, and it talks to its own server alone. */
export function pageOf(html: string): Page {
  return { html, policy: `${policyOf(html)}; connect-src 'self'; frame-ancestors 'none'` };
}

/**
 * The page with the events of runs in it, which asks no server: one file that can be kept and sent.
 *
 * @param events as JSON
 */
export function pageWithEvents(html: string, events: readonly string[]): string {
  // Nothing in the events can end the element that they stand in, or begin a comment.
  const data = `[${events.join(",\n")}]`.replaceAll("<", "\\u003c");
  const policy = `<meta http-equiv="Content-Security-Policy" content="${policyOf(html)}">`;
  const element = `<script type="application/json" id="run">${data}</script>`;
  const head = html.search(/<head[^>]*>/i);
  const at = html.indexOf(PLACE);
  if (head < 0 || at < head) throw new EngineError("INVALID_CALL", "The page has no place for a run.");
  const afterHead = html.indexOf(">", head) + 1;
  return `${html.slice(0, afterHead)}${policy}${html.slice(afterHead, at)}${element}${html.slice(at + PLACE.length)}`;
}

function policyOf(html: string): string {
  const [scripts, styles] = [hashesOf(html, "script"), hashesOf(html, "style")];
  return [
    "default-src 'none'",
    `script-src ${scripts.join(" ") || "'none'"}`,
    `style-src ${styles.join(" ") || "'none'"}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

function hashesOf(html: string, element: "script" | "style"): readonly string[] {
  const found = html.matchAll(new RegExp(`<${element}(?:\\s[^>]*)?>([\\s\\S]*?)</${element}>`, "gi"));
  return [...found].map(([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`);
}
