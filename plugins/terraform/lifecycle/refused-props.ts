import { EngineError } from "../../../core/base/index.js";
import { type PropProblem, programPathText } from "../schema/index.js";

/** @param whose e.g. the kind of a resource, or a provider */
export function refusedProps(whose: string, problems: readonly PropProblem[]): EngineError {
  const said = problems.map(({ path, message }) =>
    path.length === 0 ? message : `${programPathText(path)} ${message}`,
  );
  return new EngineError("INVALID_PROPS", `${whose}: ${said.join("\n")}`);
}
