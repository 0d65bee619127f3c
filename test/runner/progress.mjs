/** What a run tells of itself while it goes: on a terminal one live line below the rest, elsewhere a line now and then. */

/** Milliseconds between two tellings. */
const PACE = { terminal: 500, pipe: 15_000 };

export function progressOn(stream) {
  const isLive = stream.isTTY === true;
  const started = performance.now();
  const steps = new Set();
  let files = { ended: 0, all: 0 };
  /** Seconds that files took the last time, by their names; those that are still to come. */
  let ahead = new Map();
  let passedSeconds = 0;

  const state = () => {
    const names = [...steps].join(", ");
    if (files.all === 0) return names;
    const left = secondsLeft();
    const about = left === undefined ? "" : ` · about ${spoken(left)} left`;
    return `${files.ended}/${files.all} files${about}${names === "" ? "" : ` · ${names}`}`;
  };

  /** As the last time, where that is known; else as it went up to now. Undefined: it is too early to say. */
  const secondsLeft = () => {
    const elapsed = (performance.now() - started) / 1_000;
    const expected = [...ahead.values()].reduce((sum, seconds) => sum + seconds, 0);
    if (expected > 0 && passedSeconds > 0) return (expected / passedSeconds) * elapsed;
    return files.ended < files.all / 20 ? undefined : ((files.all - files.ended) / files.ended) * elapsed;
  };

  const show = () => {
    if (isLive) stream.write(`\r\x1b[K${state().slice(0, (stream.columns ?? 80) - 1)}`);
    else if (state() !== "") stream.write(`${state()}\n`);
  };
  const line = (text) => {
    stream.write(isLive ? `\r\x1b[K${text}\n` : `${text}\n`);
    if (isLive) show();
  };
  const timer = setInterval(show, isLive ? PACE.terminal : PACE.pipe);
  timer.unref();

  return {
    line,
    begin(name) {
      steps.add(name);
      line(`begin  ${name}`);
    },
    end(name, outcome, seconds, detail = "") {
      steps.delete(name);
      line(
        `${outcome.padEnd(6)} ${name.padEnd(14)} ${`${seconds.toFixed(1)} s`.padStart(8)}${detail && `   ${detail}`}`,
      );
    },
    expect(names, durations) {
      files = { ended: 0, all: names.length };
      ahead = new Map(names.flatMap((name) => (name in durations ? [[name, durations[name]]] : [])));
    },
    ended(name) {
      files = { ...files, ended: files.ended + 1 };
      passedSeconds += ahead.get(name) ?? 0;
      ahead.delete(name);
    },
    close() {
      clearInterval(timer);
      if (isLive) stream.write("\r\x1b[K");
    },
  };
}

function spoken(seconds) {
  return seconds < 50 ? `${Math.max(10, Math.ceil(seconds / 10) * 10)} s` : `${Math.round(seconds / 60) || 1} min`;
}
