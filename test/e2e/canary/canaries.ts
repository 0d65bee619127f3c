/** Secrets of every shape, the same in every process that gets the same seed. */

export interface Canary {
  /** The value that becomes a secret. */
  readonly value: unknown;
  /** As a program would put it into a text. */
  readonly text: string;
  /** The texts that must not be visible. */
  readonly hidden: readonly string[];
}

export const SEED = 20_261_121;

type Random = () => number;

/** Mulberry32: from 0 to 1. */
function random(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const ALPHABETS = {
  ascii: `${LETTERS} !"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~`,
  quotes: `${LETTERS}"'\`\\\\"'`,
  lines: `${LETTERS}\n\n\r\n`,
  unicode: "äöüßéñçøłžабвгд漢字仮名اب\u2028\u00a0",
  emoji: "😀🔑🦊👩‍👩‍👧🇩🇪🏳️‍🌈",
  base64: `${LETTERS}+/`,
  regex: `${LETTERS}.*+?^$\{}()|[]\\$&`,
  control: `${LETTERS}\t\u0001\u001b[\u007f`,
  percent: `${LETTERS}%%20%2F+&=`,
  blank: `${LETTERS}    `,
} as const;

/** Values that occur in texts and files anyway: a match does not show whether it is the secret. */
export const STRUCTURAL = ["true", "null", "1234", "dead", "false", "2026"] as const;
const SHORT = ["x", "ab", "é", "7", "🔑", "\n", "n0", "a b"] as const;

export function canaries(seed = SEED, count = 300): readonly Canary[] {
  const next = random(seed);
  const below = (limit: number): number => Math.floor(next() * limit);
  const length = (): number => Math.floor(2 ** (3 + next() * 6));
  const from = (alphabet: string, size = length()): string => {
    const letters = [...alphabet];
    // Unique, whatever the alphabet: otherwise one could be a part of another.
    let text = letters[below(letters.length)] ?? "";
    while (Buffer.byteLength(text) < size) text += letters[below(letters.length)];
    return text;
  };
  const plain = (text: string): Canary => ({ value: text, text, hidden: [text] });
  const alphabets: readonly string[] = Object.values(ALPHABETS);
  const makers: readonly (() => Canary)[] = [
    ...alphabets.map((alphabet) => () => plain(from(alphabet))),
    () => plain(from(ALPHABETS.ascii, 4 + below(4))),
    () => plain(pem(from(ALPHABETS.base64, 300 + below(900)))),
    () => plain(JSON.stringify({ token: from(ALPHABETS.quotes, 40), list: [from(ALPHABETS.unicode, 20)] })),
    () => plain(`postgres://admin:${encodeURIComponent(from(ALPHABETS.ascii, 24))}@db.internal:5432/shop?x=%20`),
    () => nested(from(ALPHABETS.ascii, 20), 10_000_000 + below(89_000_000)),
  ];
  const made = Array.from({ length: count - 20 }, (_, index) => makers[index % makers.length]?.() ?? plain("never"));
  const long = [ALPHABETS.ascii, ALPHABETS.unicode, ALPHABETS.lines, ALPHABETS.base64].map((one) => from(one, 8_180));
  const known = [...long.map((text) => text.slice(0, 8_180)), ...STRUCTURAL, ...SHORT, from(ALPHABETS.base64, 4)];
  return [...made, ...known.map(plain), plain(`\0${from(ALPHABETS.control, 200)}`)];
}

function pem(body: string): string {
  const lines = body.match(/.{1,64}/g) ?? [];
  return ["-----BEGIN PRIVATE KEY-----", ...lines, "-----END PRIVATE KEY-----", ""].join("\n");
}

function nested(password: string, pin: number): Canary {
  const value = { user: { password }, codes: [pin, new Map([["bigint", BigInt(pin) * 1_000_003n]])] };
  return { value, text: JSON.stringify({ password, pin }), hidden: [password, String(pin)] };
}

/** In groups of the given size, each as one text. */
export function textsOf(all: readonly Canary[], size: number): readonly string[] {
  const groups: string[] = [];
  for (let at = 0; at < all.length; at += size) {
    groups.push(
      all
        .slice(at, at + size)
        .map(({ text }) => text)
        .join(" ~ "),
    );
  }
  return groups;
}
