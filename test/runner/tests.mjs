/** The tests of a run, told of by test/reporter.ts as they end. */
import { durationsIn, FIRST, rememberDurations } from "./durations.mjs";

/** Seconds that a file takes of which nothing is known. */
const SHORT = 1;
/** Characters of what a test failed with, where it is told once more. */
const SHORTLY = 1_200;

export function testsIn(root, progress, count) {
  const durations = {};
  const files = [];
  const failures = [];
  const errors = [];
  let all = 0;
  let passed = 0;

  const told = (message) => {
    if (message.type === "files") {
      all = message.files.length;
      const known = { ...FIRST, ...durationsIn(root) };
      progress.expect(message.files, Object.fromEntries(message.files.map((name) => [name, known[name] ?? SHORT])));
    } else if (message.type === "passed") {
      passed += 1;
      count.passed += 1;
    } else if (message.type === "failed") {
      count.failed += 1;
      failures.push(`FAILED ${message.title}\n${indented(message.text.slice(0, SHORTLY))}`);
      progress.line(`FAILED ${message.title}\n${indented(message.text)}`);
    } else if (message.type === "file") {
      files.push(message);
      count.skipped += message.skipped;
      durations[message.name] = message.seconds;
      progress.ended(message.name);
    } else if (message.type === "error") {
      count.failed += 1;
      errors.push(message.text);
      progress.line(`FAILED the run of the tests\n${indented(message.text)}`);
    }
  };

  return {
    told,
    failures,
    hasFailed: () => failures.length + errors.length > 0,
    detail: () => `${passed} passed in ${files.length} of ${all} files`,
    slowest: () =>
      [...files]
        .sort((one, other) => other.seconds - one.seconds)
        .slice(0, 12)
        .map(({ name, seconds }) => `${name} ${seconds.toFixed(0)} s`),
    notes: () => files.flatMap(({ notes }) => notes),
    remember: () => rememberDurations(root, durations),
  };
}

function indented(text) {
  return text.replaceAll(/^/gm, "       ");
}
