/** Prints the changes that the import of a module has made in this process: none, if it has no side effects. */
const name = process.argv[2];

/** The slots that several copies of the package in one process share; they hold empty tables until an app opens. */
const isShared = (key) => typeof key === "symbol" && Symbol.keyFor(key)?.startsWith("scope-engine/");

const builtIns = [Object, Function, Array, Promise, Error, String, Number, Map, Set, Symbol, Date, RegExp, JSON, Math];

function look() {
  const events = (emitter) => emitter.eventNames().map((event) => `${String(event)} ${emitter.listenerCount(event)}`);
  return {
    globals: Reflect.ownKeys(globalThis)
      .filter((key) => !isShared(key))
      .map(String),
    builtIns: builtIns.map((one) => [Reflect.ownKeys(one), Reflect.ownKeys(one.prototype ?? {})].flat().map(String)),
    builtInFunctions: builtIns.flatMap((one) => Object.values(Object.getOwnPropertyDescriptors(one.prototype ?? {}))),
    stackTraces: [Error.stackTraceLimit, Error.prepareStackTrace],
    environment: { ...process.env },
    place: [process.cwd(), process.title, process.exitCode, process.umask()],
    listeners: [events(process), events(process.stdout), events(process.stderr), events(process.stdin)],
    handles: process.getActiveResourcesInfo().sort(),
  };
}

// First, because modules that Node itself loads at a first import must not count.
const { isDeepStrictEqual } = await import("node:util");
const before = look();
await import(name);
const after = look();
const changed = Object.keys(before).filter((part) => !isDeepStrictEqual(before[part], after[part]));
for (const part of changed) process.stdout.write(`${part}\n`);
