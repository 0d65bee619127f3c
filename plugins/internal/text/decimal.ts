/** Numbers of any size: providers use 512 bits, and send a number that no double holds as decimal text. */
export type CtyNumber = number | bigint | string;

const decimal = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

/** Maximum digits of a number that is written without an exponent. */
const MOST_DIGITS = 4096;
/** Maximum characters of a number to parse, because the search for trailing zeros takes quadratic time. */
const LONGEST_TEXT = 2 * MOST_DIGITS;

/**
 * Returns one spelling for equal numbers: sign, digits without outer zeros, exponent. Undefined if it is not a number.
 */
export function canonicalNumber(value: CtyNumber): string | undefined {
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  // A double beyond the safe integers is exactly one integer, but its text shows the first digits only.
  const text = typeof value === "number" && Number.isInteger(value) ? BigInt(value).toString() : String(value);
  const [, sign, whole = "", fraction = "", exponent = "0"] = decimal.exec(text) ?? [];
  if (sign === undefined || whole + fraction === "") return undefined;
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0";
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${sign === "-" ? "-" : ""}${significant}e${power}`;
}

export function isSameNumber(a: CtyNumber, b: CtyNumber): boolean {
  if (typeof a === "number" && typeof b === "number") return a === b;
  const one = canonicalNumber(a);
  return one !== undefined && one === canonicalNumber(b);
}

/**
 * Parses a decimal text to the form that values have: `number` if it holds the number exactly. Undefined for other
 * texts, and for numbers with thousands of digits.
 */
export function numberOf(text: string): CtyNumber | undefined {
  if (text.length > LONGEST_TEXT) return undefined;
  const exact = canonicalNumber(text);
  if (exact === undefined) return undefined;
  const double = Number(text);
  if (canonicalNumber(double) === exact) return double === 0 ? 0 : double;
  const plain = plainText(exact);
  if (plain.includes("e")) return undefined;
  return plain.includes(".") ? plain : BigInt(plain);
}

/** Returns a number in plain decimal digits, without an exponent, as in strings. */
export function numberText(value: CtyNumber): string {
  const exact = canonicalNumber(value);
  return exact === undefined ? String(value) : plainText(exact);
}

function plainText(exact: string): string {
  const [, sign = "", digits = exact, power = "0"] = /^(-?)(\d+)e(-?\d+)$/.exec(exact) ?? [];
  const exponent = Number(power);
  if (digits === exact || Math.abs(exponent) > MOST_DIGITS) return exact;
  if (exponent >= 0) return sign + digits + "0".repeat(exponent);
  const padded = digits.padStart(1 - exponent, "0");
  return `${sign}${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}

/** Returns a number below zero if `a` is less, above zero if `a` is greater. */
export function compareNumbers(a: CtyNumber, b: CtyNumber): number {
  const [one, other] = [scaled(a), scaled(b)];
  if (one === undefined || other === undefined) return Number(a) - Number(b);
  const shift = Math.min(one.power, other.power);
  const [left, right] = [one, other].map(({ digits, power }) => digits * 10n ** BigInt(power - shift));
  if (left === undefined || right === undefined || left === right) return 0;
  return left < right ? -1 : 1;
}

/** Returns the digits and their power of ten; undefined if the exponent is too large to write the number out. */
function scaled(value: CtyNumber): { readonly digits: bigint; readonly power: number } | undefined {
  const [, digits, power = "0"] = /^(-?\d+)(?:e(-?\d+))?$/.exec(canonicalNumber(value) ?? "") ?? [];
  return digits === undefined || Math.abs(Number(power)) > MOST_DIGITS
    ? undefined
    : { digits: BigInt(digits), power: Number(power) };
}

/** Returns a `number` if one holds the integer exactly, else the integer itself. */
export function numberOfInteger(integer: bigint): number | bigint {
  const float = Number(integer);
  return Number.isFinite(float) && BigInt(float) === integer ? float : integer;
}
