/** Uses of secrets that compile, and uses that must not: `tsc -p test/tsconfig.json` is the test. */
import type { PendingResource, SecretFunction } from "../../plugins/index.js";
import { engine, isSecret, Resource, Secret } from "../../plugins/index.js";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function same<A, B>(equal: Same<A, B>): void;

interface Props {
  readonly name: string;
  readonly password: Secret;
  readonly token?: Secret<{ readonly id: number }>;
  readonly list?: readonly (Secret | string)[];
}

interface Output {
  readonly url: Secret;
}
declare const Database: ReturnType<typeof Resource<Output, Props>>;
declare const pending: PendingResource<Output>;
declare const maybe: Secret<{ readonly id: number }> | undefined;
const secret = new Secret("x");

export function taken(): void {
  Database("a", { name: "a", password: secret });
  Database("a", { name: "a", password: Promise.resolve(secret), token: undefined });
  Database("a", { name: "a", password: pending.then(({ url }) => url), token: maybe });
  Database("a", { name: Promise.resolve("a"), password: secret, token: new Secret({ id: 1 }) });
  Database("a", { name: "a", password: secret, list: ["plain", secret, Promise.resolve(secret)] });
  Database("a", Promise.resolve({ name: "a", password: secret }));
}

export function refused(): void {
  // @ts-expect-error A secret where the type says string.
  Database("a", { name: secret, password: secret });
  // @ts-expect-error A promise of one, too.
  Database("a", { name: Promise.resolve(secret), password: secret });
  // @ts-expect-error A plain string where the type says secret.
  Database("a", { name: "a", password: "x" });
  // @ts-expect-error A promise of one, too.
  Database("a", { name: "a", password: Promise.resolve("x") });
  // @ts-expect-error What looks like one.
  Database("a", { name: "a", password: { unencrypted: "x", name: "x", toString: () => "x", toJSON: () => "x" } });
  // @ts-expect-error A spread one.
  Database("a", { name: "a", password: { ...secret } });
  // @ts-expect-error A secret of another type.
  Database("a", { name: "a", password: new Secret(1) });
  // @ts-expect-error It must be there.
  Database("a", { name: "a", password: undefined });
  // @ts-expect-error A secret is no text.
  const _text: string = secret;
}

export function made(value: unknown, variable: string | undefined): void {
  const api: SecretFunction = engine.secret;
  same<ReturnType<typeof plain>, Secret<string>>(true);
  same<ReturnType<typeof wrapped>, Secret<string>>(true);
  same<ReturnType<typeof object>, Secret<{ id: number }>>(true);
  // As all indexed access, where a program checks that; the call gives the same for sure.
  same<typeof api.env.NAME, Secret<string> | undefined>(true);
  same<ReturnType<typeof api.env>, Secret<string>>(true);
  same<ReturnType<typeof either>, string>(true);
  if (isSecret<string>(value)) same<typeof value, Secret<string>>(true);

  function plain() {
    return engine.secret("x");
  }
  function wrapped() {
    return engine.secret(secret, "name");
  }
  function object() {
    return engine.secret({ id: 1 });
  }
  function either() {
    return Secret.unwrap<string>(variable === undefined ? secret : variable);
  }
}

// Handlers see secrets as they are declared, and return them in outputs.
const Typed = Resource("types:Secret", {
  create({ props }: { readonly props: Props }) {
    same<typeof props.password, Secret<string>>(true);
    same<typeof props.password.unencrypted, string>(true);
    return { url: engine.secret(`postgres://${props.password.unencrypted}`) };
  },
});
export async function output(): Promise<void> {
  const { url } = await Typed("a", { name: "a", password: secret });
  same<typeof url, Secret<string>>(true);
  await Typed("b", { name: "b", password: url });
}
