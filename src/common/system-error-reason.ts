/** Short reason of an error of the operating system or of a program, for use inside a sentence. */
export function systemErrorReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied';
  if (code === 'EROFS') return 'the file system is read-only';
  if (code === 'ENOSPC') return 'the disk is full';
  // Output of a program: the line with the error, or else the last line.
  const lines = (message ?? String(error)).trim().split('\n');
  return (lines.find((line) => /\b(error|FATAL|PANIC): /.test(line)) ?? lines.at(-1) ?? '').replace(
    /[.:]+$/,
    '',
  );
}
