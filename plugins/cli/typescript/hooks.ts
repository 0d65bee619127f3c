/** Provides the files of a program to Node: in this thread if Node supports it, else from a separate thread. */
import * as nodeModule from "node:module";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import { ownFile } from "../../../core/base/index.js";
import type { Source } from "../watch/messages.js";
import type { Memory } from "./compiler.js";
import { askedOf, isForNode, type Known, type LoadContext, type ResolveContext } from "./known.js";
import type { Program } from "./program.js";

/** Data for the thread. */
export interface Start {
  /** Absolute path. */
  readonly entry: string;
  readonly known: Known;
  readonly memory: Memory;
  /** Receives each source that is found only while the program runs. */
  readonly port: MessagePort;
}

/** Declared here, because the types are those of the oldest supported Node. */
interface SyncHooks {
  resolve(specifier: string, context: ResolveContext, next: Next<ResolveContext>): object;
  load(url: string, context: LoadContext, next: Next<LoadContext>): object;
}

type Next<Context> = (what: string, context: Context) => object;

/**
 * Registers the hooks.
 *
 * @param seen called with each file that is found only while the program runs
 */
export function hook(program: Program, seen: (source: Source) => void): void {
  const registerHooks: ((hooks: SyncHooks) => void) | undefined = Reflect.get(nodeModule, "registerHooks");
  // Read once, because Node calls the hooks for each module of the process.
  const { entry, known, memory } = program;
  if (registerHooks) {
    program.onSeen = seen;
    return registerHooks({
      resolve: (specifier, context, next) =>
        resolved(program, specifier, context) ?? next(...askedOf(specifier, context, known)),
      load: (url, context, next) => loaded(program, url, context) ?? next(url, context),
    });
  }
  // Node can load a plain program itself, and a thread takes longer to start than most programs.
  if (program.isPlain) return;
  // Bun and Deno run TypeScript themselves.
  if (process.versions.bun !== undefined || process.versions.deno !== undefined) return;
  const { port1, port2 } = new MessageChannel();
  port1.on("message", seen);
  port1.unref();
  const data: Start = { entry, known, memory, port: port2 };
  nodeModule.register(ownFile("dist/plugins/cli/typescript/hooks-thread.js"), { data, transferList: [port2] });
}

export function resolved(program: Program, specifier: string, { parentURL }: ResolveContext) {
  const url = program.resolve(specifier, parentURL);
  return url === undefined ? undefined : { url, shortCircuit: true };
}

export function loaded(program: Program, url: string, context: LoadContext) {
  const module = program.load(url);
  return module === undefined || isForNode(module, context) ? undefined : { ...module, shortCircuit: true };
}
