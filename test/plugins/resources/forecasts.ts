/** Predictions of built-in types, and the real outcomes. */
import { definitionOf } from "../../../core/resource/index.js";
import type { Project } from "./project.ts";

export interface Declaring<Props> {
  (id: string, props: Props): PromiseLike<object>;
  readonly kind: string;
}

interface Change<Props> {
  readonly before: Props;
  readonly after: Props;
}

export interface Seen {
  /** Outputs of the runs, in their order. */
  readonly outputs: readonly object[];
  readonly isReplaced: boolean;
}

/**
 * Prediction by `outputs`.
 * @param output the recorded one, of an update
 */
export function foreseen<Props>(
  type: Declaring<Props>,
  props: Props,
  output?: object,
): Readonly<Record<string, unknown>> {
  const given = { props, output, physicalName: "" };
  return { ...Object(definitionOf(type.kind)?.handlers(false).outputs?.(given)) };
}

/** Prediction by `outputs` for each run of a change. */
export function foreseenOf<Props>(type: Declaring<Props>, { before, after }: Change<Props>, seen: Seen) {
  return [foreseen(type, before), foreseen(type, after, seen.isReplaced ? undefined : seen.outputs[0])];
}

/** Prediction by `replaces`. */
export function isForeseen<Props>(type: Declaring<Props>, props: Props, output: unknown): boolean {
  return definitionOf(type.kind)?.handlers(false).replaces?.({ props, output }) === true;
}

/** Creates a resource, and changes it. */
export async function change<Props>(
  project: Project,
  type: Declaring<Props>,
  { before, after }: Change<Props>,
): Promise<Seen> {
  const outputs: object[] = [];
  await project.up(async () => outputs.push(await type("a", before)));
  const { summary } = await project.up(async () => outputs.push(await type("a", after)));
  return { outputs, isReplaced: summary.replaced === 1 };
}
