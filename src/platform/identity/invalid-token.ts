/**
 * A rejected token. The reason is a fixed sentence that never quotes the token. It has only the characters that
 * RFC 6750 allows in `error_description`: printable ASCII without `"` and `\`.
 */
export class InvalidToken extends Error {
  constructor(readonly reason: string) {
    super(reason);
    this.name = 'InvalidToken';
  }
}
