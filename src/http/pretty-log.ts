import pinoPretty from 'pino-pretty';
import { type DestinationStream } from 'pino';

/** Lines for people at a terminal. */
export function pretty(): DestinationStream {
  return pinoPretty({
    colorize: process.stdout.isTTY,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'pid,hostname',
    sync: true,
  });
}
