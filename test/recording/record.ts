/** Does what the screenplay says, and takes down what the terminal shows. */
import type { Desk } from "./desk.ts";
import type { Screen } from "./screen.ts";
import { ACTIONS, type Action, KEYS, SIZE } from "./screenplay.ts";
import { type Frame, isAtPrompt, openShell, type Shell } from "./shell.ts";

/** One action, and what came of it. */
export interface Step {
  readonly caption: string;
  /** What was typed, before it was entered. */
  readonly typed?: { readonly command: string; readonly screen: Screen };
  /** It has emptied the screen. */
  readonly isNewScreen: boolean;
  readonly frames: readonly Frame[];
  /** Milliseconds for which one looks at the last frame. */
  readonly hold: number;
}

export interface Recording {
  /** The terminal before all. */
  readonly first: Screen;
  readonly steps: readonly Step[];
}

export async function record({ folder, env }: Desk): Promise<Recording> {
  const shell = openShell({ cwd: folder, env, ...SIZE });
  try {
    await shell.until(isAtPrompt);
    const first = shell.screen;
    const steps: Step[] = [];
    for (const action of ACTIONS) steps.push(await act(action, shell, folder));
    return { first, steps };
  } finally {
    await shell.close();
  }
}

async function act({ caption, command, key, hold, until }: Action, shell: Shell, folder: string): Promise<Step> {
  if (command !== undefined) await shell.type(command);
  const typed = command === undefined ? undefined : { command, screen: shell.screen };
  const before = shell.frames.length;
  shell.press(key ?? KEYS.enter);
  await shell.until(() => shell.frames.length > before);
  await (until ? until(shell, folder) : shell.until(isAtPrompt));
  return { caption, typed, isNewScreen: key === KEYS.clear, frames: shell.frames.slice(before), hold };
}
