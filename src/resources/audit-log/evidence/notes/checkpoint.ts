/** The state of a log that a signed note states (c2sp.org/tlog-checkpoint). */
export interface Checkpoint {
  readonly origin: string;
  /** Number of leaves. */
  readonly size: number;
  readonly root: Buffer;
}

export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${root.toString('base64')}\n`;
}

/** Null if the text of the note is not a checkpoint. Lines after the third one are extensions, which are ignored. */
export function parseCheckpoint(text: string): Checkpoint | null {
  const [origin = '', size = '', root = ''] = text.split('\n');
  const bytes = Buffer.from(root, 'base64');
  if (origin === '' || !/^(0|[1-9]\d{0,15})$/.test(size) || bytes.length !== 32) return null;
  return { origin, size: Number(size), root: bytes };
}
