/** Waits for an event that cannot happen, or only seems to, as its last argument says. */
import { engine, Resource } from "../../../plugins/index.js";

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const Stuck = Resource("e2e:Stuck", {
  create: ({ signal, props }: { readonly signal: AbortSignal; readonly props: { readonly listens: boolean } }) =>
    new Promise<{ made: boolean }>((_resolve, reject) => {
      if (props.listens) signal.addEventListener("abort", () => reject(new Error("Told.")));
    }),
  delete: () => {},
});

const Note = Resource("e2e:Note", {
  async create({ props }: { readonly props: { readonly text: string } }) {
    if (props.text === "awaits") say(await later);
    return { text: props.text };
  },
  delete: () => (process.env.STUCK === "delete" ? new Promise<void>(() => {}) : undefined),
});

const app = await engine("stuck");
const later = app.defer(async () => "deferred");
app.onCleanup(() => say("cleaned"));
switch (process.argv.at(-1)) {
  case "deferred":
    say(await later);
    break;
  case "listening":
    await Stuck("a", { listens: true });
    break;
  case "deaf":
    await Stuck("a", { listens: false });
    break;
  case "unawaited":
    void Stuck("a", { listens: false });
    break;
  case "finalize":
    void app.defer(() => app.finalize());
    await app.finalize();
    break;
  case "props": {
    const note = Note("a", { text: later });
    await app.finalize();
    say(`made: ${(await note).text}`);
    break;
  }
  case "made":
    await Note("a", { text: "made" });
    await app.finalize();
    break;
  case "pruned":
    await app.finalize();
    break;
  case "handler":
    void Note("a", { text: "awaits" });
    void Note("b", { text: later });
    await app.finalize();
    break;
  case "run":
    void engine.run("s", async () => say(await later));
    await app.finalize();
    break;
  case "unseen":
    void Note("a", { text: Promise.all([later]).then(([text]) => text) });
    await app.finalize();
    break;
  case "another":
    void app.defer(async () => say(await app.defer(() => "last")));

    await app.finalize();
    break;
  case "unfinalized":
    await Note("a", { text: later });
    break;
}
