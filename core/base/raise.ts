/** @throws the error, or several as an AggregateError */
export function raise(errors: readonly unknown[]): void {
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new AggregateError(errors, `${errors.length} errors`);
}
