/**
 * Runs checks of the installed package on the runtime that runs this file: `run.mjs core stores`. Prints one line a
 * check, and `N passed, N failed` as the last line. No test runner works the same on Node, Bun and Deno, so this needs
 * none.
 */
import { argv, exit, stdout } from "node:process";

const count = { passed: 0, failed: 0 };
const queue = [];

/** A topic's name precedes the sentences of its checks. */
export function runnerFor(topic) {
  let prefix = topic;
  return {
    describe: (title, body) => {
      const outer = prefix;
      prefix = `${prefix} › ${title}`;
      body();
      prefix = outer;
    },
    it: (title, body) => queue.push({ title: `${prefix} › ${title}`, body }),
  };
}

const say = (text) => stdout.write(`${text}\n`);

async function run({ title, body }) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("It takes longer than a minute.")), 60_000);
  });
  try {
    await Promise.race([body(), late]);
    count.passed += 1;
    say(`ok ${title}`);
  } catch (error) {
    count.failed += 1;
    say(`not ok ${title}\n${error?.stack ?? error}`);
  } finally {
    clearTimeout(timer);
  }
}

for (const topic of argv.slice(2)) {
  const { define } = await import(`./checks/${topic}.mjs`);
  define(runnerFor(topic));
}
for (const check of queue) await run(check);
say(`${count.passed} passed, ${count.failed} failed`);
exit(count.failed === 0 ? 0 : 1);
