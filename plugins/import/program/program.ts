/** A program as a tree: scopes, and in them declarations whose props refer to other declarations. */
import type { ImportedOutput, InstanceKey } from "../contract.js";
import { Digits, type SettledProject, type SettledResource } from "./settled.js";

export interface Program {
  readonly project: SettledProject;
  readonly root: Block;
  readonly outputs: readonly ProgramOutput[];
  /** Variables of the environment, with the secrets that they must hold and the addresses that use them. */
  readonly variables: ReadonlyMap<string, SecretVariable>;
}

export interface SecretVariable {
  readonly value: unknown;
  readonly usedBy: readonly string[];
}

/** One visit of a scope. A scope has several if other scopes need a part of it, and it needs a part of them. */
export interface Block {
  /** Name of the scope in its parent; empty for the root. */
  readonly scopeName: string;
  /** Name of the module call without its key, and its key. */
  readonly name: string;
  readonly key?: InstanceKey;
  /** Names of the module calls from the root, without keys, and the number of the visit. */
  readonly group: string;
  readonly items: readonly Item[];
}

export type Item =
  | { readonly type: "declaration"; readonly declaration: Declaration }
  | { readonly type: "block"; readonly block: Block };

export interface Declaration {
  readonly resource: SettledResource;
  readonly id: string;
  readonly props: Readonly<Record<string, Expression>>;
}

export interface ProgramOutput extends Omit<ImportedOutput, "value"> {
  readonly value: Expression;
}

export type Expression =
  | null
  | boolean
  | number
  | bigint
  | string
  | Reference
  | SecretFrom
  | Literal
  | Template
  | Document
  | Built
  | Digits
  | readonly Expression[]
  | { readonly [name: string]: Expression };

/** A member of the output of a declaration. */
export class Reference {
  constructor(
    readonly address: string,
    readonly member: string,
    readonly value: unknown,
  ) {}
}

/** A secret from a variable of the environment. A value that is neither a text nor digits is JSON there. */
export class SecretFrom {
  constructor(
    readonly variable: string,
    readonly value: unknown,
  ) {}
}

/** A value that must stay where it is. */
export class Literal {
  constructor(readonly value: Expression) {}
}

/** A text that holds members of outputs. */
export class Template {
  constructor(readonly parts: readonly (string | Reference)[]) {}
}

/** A JSON text, as the value that `JSON.stringify` writes so. */
export class Document {
  constructor(readonly value: Expression) {}
}

/** A date or bytes, which have no literal. */
export class Built {
  constructor(readonly value: Date | Uint8Array) {}
}

const SPECIAL = [Reference, SecretFrom, Literal, Template, Document, Built, Digits] as const;

export function isPlainExpression(one: Expression): one is Readonly<Record<string, Expression>> {
  return (
    typeof one === "object" && one !== null && !Array.isArray(one) && !SPECIAL.some((special) => one instanceof special)
  );
}

export function isListExpression(one: Expression): one is readonly Expression[] {
  return Array.isArray(one);
}
