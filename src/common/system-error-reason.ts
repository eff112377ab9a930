/** What the operating system or a program refused, in a few words, for use inside a sentence. */
export function systemErrorReason(error: unknown): string {
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
