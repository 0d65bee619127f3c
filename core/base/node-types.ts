/**
 * Types of Node for what others read in declarations: they are Node's own where a project has them (`@types/node`), and the like where
 * it has not.
 */
/** A `Buffer`, where there is such a thing. */
export type Bytes = typeof globalThis extends { Buffer: { isBuffer(value: unknown): value is infer B } }
  ? B
  : Uint8Array;

type Watched = "on" | "off" | "exit" | "exitCode" | "stdout" | "stderr";

/** Of the process what watches over its end, or prints. */
export type HostProcess = typeof globalThis extends { process: infer P } ? Pick<P, Watched & keyof P> : unknown;

/** As `process.platform` has it, e.g. `linux`, `darwin` or `win32`. */
export type PlatformName = string;

/** By name, e.g. `SIGTERM`. */
export type SignalName = `SIG${string}`;

/** The method that `util.inspect` asks for. */
export const INSPECT: unique symbol = Symbol.for("nodejs.util.inspect.custom");
