/** Names from the root on: `["pg", "data", "schemas"]`. A call is a name with `()`, and what is of a type is the type with a colon before it. */
export type Chain = readonly string[];

/** What a file does with names. */
export interface Uses {
  readonly imports: readonly { readonly specifier: string; readonly imported: string; readonly local: string }[];
  /** That a variable, a parameter or a member is something else. */
  readonly bound: readonly { readonly name: string; readonly to: Chain }[];
  /** Members that are asked for; each of a longer one as well. */
  readonly chains: readonly Chain[];
}
