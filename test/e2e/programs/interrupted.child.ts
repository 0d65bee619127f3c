/** One handler waits for its signal while another resource waits for it. Prints its progress on standard output. */
import { engine, Resource } from "../../../plugins/index.js";

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const Slow = Resource("e2e:Slow", {
  async create({ signal, id }) {
    if (id.startsWith("deaf")) {
      say(id);
      return new Promise<never>(() => setInterval(() => {}, 1000));
    }
    await new Promise<void>((resolve) => {
      const alive = setInterval(() => {}, 1000);
      signal.addEventListener("abort", () => {
        clearInterval(alive);
        say(`signal: ${signal.reason.message}`);
        resolve();
      });
      say("running");
    });
    return { made: true };
  },
  delete: () => {},
});

const mode = process.argv.at(-1);
const app = await engine("interrupted");
app.onCleanup(() => say("cleaned"));

async function main(): Promise<void> {
  const first = Slow("first");
  const second = Slow("second", { after: first });
  if (mode === "deaf" || mode === "many") void Slow("deaf");
  if (mode === "many") for (const number of [1, 2, 3, 4, 5]) void Slow(`deaf${number}`);
  await Promise.all([first, second]);
}

switch (mode) {
  case "revived":
    await app.finalize();
    await app.run(main);
    break;
  case "two": {
    const other = await engine("interrupted too");
    await Promise.all([app.run(main), other.run(main)]);
    break;
  }
  default:
    await main();
}
await app.finalize();
say("finalized");
