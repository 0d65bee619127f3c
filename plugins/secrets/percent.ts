/** Percent-encoding, for programs disagree about what needs none. */

const BLANK = 0x20;
const PERCENT = 0x25;
const PLUS = 0x2b;

const lettersAndDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** What is kept as it is, besides letters and digits: */
const marks = [
  "",
  // by RFC 3986
  "-_.~",
  // by encodeURIComponent
  "-_.~!*'()",
  // by encodeURI
  "-_.~!*'();,/?:@&=+$#",
  // by URLSearchParams
  "-_.*",
  // in the user name and the password of a URL, which do not have "%" encoded again
  "-_.~!*'()$&+,%",
  // by Go: in the user name and the password of a URL, in a segment of its path, and in all of the path
  "-_.~$&+,;=",
  "-_.~$&+:=@",
  "-_.~$&+,/:;=@",
];

let known: readonly Uint8Array[] | undefined;

/** For each of them, by byte: 1 for what is kept. Made with the first secret. */
function styles(): readonly Uint8Array[] {
  known ??= marks.map((some) => {
    const kept = `${lettersAndDigits}${some}`;
    return new Uint8Array(256).map((_, byte) => Number(kept.includes(latin1(byte))));
  });
  return known;
}

const upperCase = Buffer.from("0123456789ABCDEF");
const lowerCase = Buffer.from("0123456789abcdef");

/** With hex digits in either case, and with blanks as `%20` and as `+`. */
export function percentEncodingsOf(bytes: Uint8Array): readonly string[] {
  const blanks = bytes.includes(BLANK) ? [undefined, PLUS] : [undefined];
  return styles().flatMap((kept) =>
    [upperCase, lowerCase].flatMap((digits) => blanks.map((blankAs) => encoded(bytes, kept, digits, blankAs))),
  );
}

/** Written as bytes: strings put together from single characters would fill the memory. */
function encoded(bytes: Uint8Array, kept: Uint8Array, digits: Buffer, blankAs: number | undefined): string {
  const written = Buffer.allocUnsafe(3 * bytes.length);
  let length = 0;
  for (const byte of bytes) {
    if (kept[byte] === 1) written[length++] = byte;
    else if (byte === BLANK && blankAs !== undefined) written[length++] = blankAs;
    else {
      written[length++] = PERCENT;
      written[length++] = digits[byte >> 4] ?? 0;
      written[length++] = digits[byte & 15] ?? 0;
    }
  }
  return written.toString("latin1", 0, length);
}

function latin1(byte: number): string {
  return String.fromCharCode(byte);
}
