/**
 * Loaded before a worker: its wall clock is wrong by CLOCK_SHIFT milliseconds. With MACHINE set it believes to be on
 * another machine, so other processes cannot check whether it lives.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const shift = Number(process.env.CLOCK_SHIFT ?? 0);
const machine = process.env.MACHINE;

if (shift !== 0) {
  const Real = Date;
  globalThis.Date = class extends Real {
    constructor(...args) {
      super(...(args.length === 0 ? [Real.now() + shift] : args));
    }
    static now() {
      return Real.now() + shift;
    }
  };
}

if (machine !== undefined) {
  const { readFileSync } = fs;
  const told = new Map([
    ["/etc/machine-id", `machine ${machine}`],
    ["/proc/sys/kernel/random/boot_id", `boot ${machine}`],
  ]);
  fs.readFileSync = (path, ...rest) => told.get(path) ?? readFileSync(path, ...rest);
  syncBuiltinESMExports();
}
