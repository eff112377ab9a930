import { spawn } from 'node:child_process';

/**
 * Starts a shell that stops a server, if there is one, and removes its folder when this process ends without teardown (Ctrl-C,
 * kill -9): it reads from a pipe that closes with this process. The returned function ends the shell without this cleanup.
 *
 * @param pidFile file below `directory` whose first line is the id of the server's process
 */
export function startCleanupProcess(directory: string, pidFile?: string): () => Promise<void> {
  const script = `read -r line || {
    if [ -n "$2" ]; then kill -QUIT "$(head -n 1 "$1/$2")"; fi
    sleep 1
    rm -rf "$1"
  }`;
  const child = spawn('/bin/sh', ['-c', script, 'sh', directory, pidFile ?? ''], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.unref();
  return () =>
    new Promise((resolve) => {
      child.ref();
      child.once('exit', () => resolve());
      child.stdin.end('done\n');
    });
}
