import { type Message, message } from '../../../common/messages/message.js';

/** The files of a move. */
export interface MovedBetween {
  readonly fromFileId: string;
  readonly toFileId: string;
}

/** The error for a move from a file to itself. */
export function sameFile(body: object): Message | null {
  const { fromFileId, toFileId } = body as Partial<MovedBetween>;
  return fromFileId === toFileId ? message('reference.same-file') : null;
}
