/**
 * A token that is not accepted. The reason is a sentence from this program, never a piece of the token, in
 * the characters that RFC 6750 allows in `error_description`: printable ASCII without `"` and `\`.
 */
export class InvalidToken extends Error {
  constructor(readonly reason: string) {
    super(reason);
    this.name = 'InvalidToken';
  }
}
