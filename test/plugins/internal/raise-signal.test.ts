import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { raiseSignal } from "../../../plugins/internal/process/process-end.js";

function listening(heard: unknown[]) {
  const events = new EventEmitter();
  return {
    events,
    pid: 77,
    kill: (...args: unknown[]) => heard.push(["kill", ...args]),
    emit: (name: string, ...args: unknown[]) => events.emit(name, ...args),
    exit: (code: number) => void heard.push(["exit", code]),
  };
}

describe("a signal of this process for itself", () => {
  it("is passed to listeners on Windows, where it would end the process at once, without cleanup", () => {
    const heard: unknown[] = [];
    const own = listening(heard);
    own.events.on("SIGTERM", (signal) => heard.push(signal));
    raiseSignal("SIGTERM", 143, own, "win32");
    expect(heard).toEqual(["SIGTERM"]);
  });

  it("ends the process on Windows if there is no listener", () => {
    const heard: unknown[] = [];
    raiseSignal("SIGINT", 130, listening(heard), "win32");
    expect(heard).toEqual([["exit", 130]]);
  });

  it("is sent elsewhere", () => {
    const heard: unknown[] = [];
    raiseSignal("SIGINT", 130, listening(heard), "darwin");
    expect(heard).toEqual([["kill", 77, "SIGINT"]]);
  });
});
