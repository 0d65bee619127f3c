import { extname } from "node:path";
import type { Command } from "commander";
import { EngineError } from "../../../core/base/index.js";
import type { Graph } from "../../admin/operations/index.js";
import type { ChoiceOf } from "../../internal/flags/table.js";
import { plainData, plainJson } from "../../internal/text/plain-text.js";
import { addFlags, programFlags, textOf } from "../flags.js";
import { nothingThere, openStage, stageExists } from "../open-stage.js";
import { printText, say, writeOut } from "../output.js";
import type { Given } from "../run-command.js";
import { withAdmin } from "../state/with-admin.js";

const FORMATS: Readonly<Record<ChoiceOf<"format">, (graph: Graph) => Promise<string>>> = {
  mermaid: async (graph) => (await import("../graph/mermaid.js")).toMermaid(plainData(graph)),
  dot: async (graph) => (await import("../graph/dot.js")).toDot(plainData(graph)),
  svg: async (graph) => (await import("../graph/svg.js")).toSvg(plainData(graph)),
  html: async (graph) => (await import("../graph/html.js")).toHtml(plainData(graph)),
  json: async (graph) => plainJson(graph, 2),
};
const EXTENSIONS: Readonly<Record<string, ChoiceOf<"format">>> = {
  mmd: "mermaid",
  mermaid: "mermaid",
  gv: "dot",
  htm: "html",
};

export function addGraph(program: Command): void {
  const command = program
    .command("graph [entry]")
    .summary("draw the recorded scopes, resources and their order")
    .description(
      "Draw the recorded scopes and resources, the order of their creation, and their dependencies. An arrow points from a resource to one that depends on it. A dashed arrow is a dependency that is not recorded but likely, because of order and values.",
    );
  addFlags(command);
  command.action(async (entry: string | undefined, given: Given) => {
    const [envFile, app, out] = [textOf(given.envFile), textOf(given.app), textOf(given.out)];
    const draw = FORMATS[formatOf(textOf(given.format), out)];
    await openStage({ entry, app, envFile, flags: programFlags(command) }, async (stage) => {
      return withAdmin(stage, async (admin) => {
        if (!(await stageExists(admin, given))) return nothingThere(admin, given);
        const text = await draw(await admin.graph());
        if (out === undefined) printText(text);
        else {
          await writeOut(out, `${text}\n`);
          say(`written: ${out}`);
        }
        return 0;
      });
    });
  });
}

/** @throws EngineError `INVALID_ARGUMENT` */
function formatOf(format: string | undefined, out: string | undefined): ChoiceOf<"format"> {
  const extension = out === undefined ? "mermaid" : extname(out).slice(1).toLowerCase();
  const found = format ?? EXTENSIONS[extension] ?? extension;
  if (isFormat(found)) return found;
  throw new EngineError("INVALID_ARGUMENT", `The name "${out}" does not determine the format. Pass --format.`);
}

function isFormat(text: string): text is ChoiceOf<"format"> {
  return Object.hasOwn(FORMATS, text);
}
