/** The embedded database cannot be started; its message is one sentence for the person who starts the service. */
export class DatabaseStartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DatabaseStartError';
  }
}

/** Says in a few words what the operating system refused, for use inside a sentence. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied';
  if (code === 'EROFS') return 'the file system is read-only';
  if (code === 'ENOSPC') return 'the disk is full';
  // Of a program that failed, the line that says why, or else the last that it wrote.
  const lines = (message ?? String(error)).trim().split('\n');
  return (lines.find((line) => /\b(error|FATAL|PANIC): /.test(line)) ?? lines.at(-1) ?? '').replace(
    /[.:]+$/,
    '',
  );
}
