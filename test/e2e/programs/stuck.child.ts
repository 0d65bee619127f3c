/** Waits for something that cannot happen, as its last argument says. */
import { engine, Resource } from "../../../plugins/index.js";

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const Stuck = Resource("e2e:Stuck", {
  create: ({ signal, props }: { readonly signal: AbortSignal; readonly props: { readonly listens: boolean } }) =>
    new Promise<{ made: boolean }>((_resolve, reject) => {
      if (props.listens) signal.addEventListener("abort", () => reject(new Error("Told.")));
    }),
  delete: () => {},
});

const app = await engine("stuck");
app.onCleanup(() => say("cleaned"));
switch (process.argv.at(-1)) {
  case "deferred":
    say(await app.defer(() => "never"));
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
}
