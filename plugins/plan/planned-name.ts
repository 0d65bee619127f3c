import { unknownValue } from "../../core/base/index.js";
import type { ResourceRecord } from "../../core/contract/index.js";
import type { Task } from "../../core/run/index.js";
import type { Planner } from "./planner.js";

/**
 * The physical name that a run would use, or the marker of an unknown value: a name with a part of a new uid is another one in each run.
 *
 * @param record undefined for a replacement that has none yet
 */
export function plannedName({ ref, scope }: Task, record: ResourceRecord | undefined, { recorded }: Planner): string {
  const name = record?.physicalName;
  const isSettled = record && (recorded.has(record.uid) || name === scope.createPhysicalName(ref.id));
  return isSettled && name !== undefined ? name : String(unknownValue(`${ref.fqn}.physicalName`));
}
