/** A word with the colour of what it means. */

export type Tone = "good" | "bad" | "busy" | "warn" | "plain" | "quiet";

const TONES: Readonly<Record<string, Tone>> = {
  ready: "good",
  creating: "warn",
  updating: "warn",
  deleting: "warn",
  running: "busy",
  retrying: "warn",
  queued: "plain",
  looked: "plain",
  done: "good",
  failed: "bad",
  stopped: "warn",
  interrupted: "warn",
  "cut off": "warn",
  left: "plain",
  created: "good",
  adopted: "good",
  updated: "busy",
  replaced: "warn",
  deleted: "bad",
  read: "quiet",
  skipped: "quiet",
  retained: "plain",
  create: "good",
  adopt: "good",
  update: "busy",
  replace: "warn",
  delete: "bad",
  made: "good",
  changed: "busy",
  gone: "bad",
};

export function toneOf(word: string): Tone {
  return TONES[word] ?? "plain";
}

export function Pill({ word, tone }: { readonly word: string; readonly tone?: Tone }) {
  return (
    <span class="pill" data-tone={tone ?? toneOf(word)}>
      <span class="dot" aria-hidden="true" />
      {word}
    </span>
  );
}
