/**
 * Several apps in one program: MODE says how it opens the apps in NAMES. BAD is one that cannot be deleted, HELD one
 * whose delete continues after a signal.
 */
import { setTimeout as pause } from "node:timers/promises";
import { engine, Resource, type Scope } from "../../../plugins/index.js";

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const { MODE = "", BAD, HELD, NAMES = "quick slow third" } = process.env;
const names = NAMES.split(" ");
const define = (kind: string) =>
  Resource(kind, {
    create: ({ id }) => ({ id }),
    delete: async ({ scope, signal }) => {
      if (scope.appName === BAD) throw new Error("It is bolted to the floor.");
      while (scope.appName === HELD && !signal.aborted) await pause(5);
      // The others are deleted by then.
      if (scope.appName === "slow") await pause(100);
    },
  });
const Thing = define("e2e:SeveralThing");
const program = async (app: Scope): Promise<void> => {
  await app.run(() => Thing("a"));
  await app.finalize();
  say(`${app.name} is finalized`);
};

switch (MODE) {
  case "together": {
    const apps = await Promise.all(names.map((name) => engine(name)));
    for (const app of apps) await program(app);
    break;
  }
  case "each":
    await Promise.all(names.map(async (name) => program(await engine(name))));
    break;
  case "caught": {
    const opened = await Promise.allSettled(names.map((name) => engine(name)));
    for (const { status } of opened) say(status);
    break;
  }
  case "sequence":
    for (const name of names) await program(await engine(name));
    break;
  case "chosen": {
    const phase = process.argv.includes("--destroy") ? "destroy" : "up";
    for (const name of names) await program(await engine(name, { phase }));
    break;
  }
  case "read":
    await engine("outer", { phase: "read" });
    await program(await engine("quick"));
    break;
  case "inside": {
    const outer = await engine("outer", { phase: "up" });
    await engine.run("s", async () => program(await engine("quick")));
    await program(outer);
    break;
  }
  case "late": {
    // Its resource type is not defined yet when it is opened: it is destroyed in its finalize().
    const [late, quick] = await Promise.all([engine("late"), engine("quick")]);
    const Late = define("e2e:SeveralLate");
    await late.run(() => Late("a"));
    await late.finalize();
    await program(quick);
    break;
  }
}
say("the program has ended");
