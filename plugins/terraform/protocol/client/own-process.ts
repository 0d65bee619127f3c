/** The process that a client is the only one to ask. */
export interface OwnProcess {
  readonly hasEnded: boolean;
  end(): Promise<void>;
}
