import { createRequire } from 'node:module';
import { type DestinationStream } from 'pino';

/** Lines for people at a terminal; elsewhere what makes them is not even loaded. */
export function prettyLog(): DestinationStream {
  const pinoPretty = createRequire(import.meta.url)('pino-pretty') as typeof import('pino-pretty');
  return pinoPretty({
    colorize: process.stdout.isTTY,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'pid,hostname',
    sync: true,
  });
}
