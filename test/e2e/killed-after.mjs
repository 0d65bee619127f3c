/**
 * Loaded before the example as `killed-after.mjs?LINES`: kills it when it has printed so many lines about resources.
 */
const write = process.stdout.write.bind(process.stdout);
let left = Number(new URL(import.meta.url).search.slice(1));

process.stdout.write = (text, ...rest) => {
  // Writes to a pipe are done before this returns.
  const isTaken = write(text, ...rest);
  left -= String(text).match(/^\w+ +site\/dev\/.* {2}\(/gm)?.length ?? 0;
  if (left <= 0) process.kill(process.pid, "SIGKILL");
  return isTaken;
};
