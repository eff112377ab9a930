import { createRequire } from 'node:module';
import { type DestinationStream } from 'pino';

/** Readable lines for a terminal. pino-pretty is loaded only when it is used. */
export function prettyLog(): DestinationStream {
  const pinoPretty = createRequire(import.meta.url)('pino-pretty') as typeof import('pino-pretty');
  return pinoPretty({
    colorize: process.stdout.isTTY,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'pid,hostname',
    sync: true,
  });
}
