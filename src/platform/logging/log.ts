import { type LoggerService, Injectable } from '@nestjs/common';
import { type DestinationStream, type Logger, pino } from 'pino';
import { type Configuration } from '../config/configuration.js';
import { activeSpan, traceFields } from '../telemetry/span.js';
import { prettyLog } from './pretty-log.js';

/** The service's structured log. Requests are logged by what they are, never by tokens, bodies, queries or titles. */
@Injectable()
export class Log {
  readonly pino: Logger;

  /** @param destination standard output by default */
  constructor(
    {
      logLevel,
      logFormat,
      otlpEndpoint,
    }: Pick<Configuration, 'logLevel' | 'logFormat'> & Partial<Pick<Configuration, 'otlpEndpoint'>>,
    destination: DestinationStream = logFormat === 'pretty' ? prettyLog() : standardOutput(),
  ) {
    const options = {
      level: logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label: string) => ({ level: label }) },
      serializers: { err: describeError },
      // Leads from a line to its trace.
      ...(otlpEndpoint !== undefined && { mixin: () => traceFields(activeSpan()) }),
    };
    this.pino = pino(options, destination);
  }

  debug(fields: object, message: string): void {
    this.pino.debug(fields, message);
  }

  info(fields: object, message: string): void {
    this.pino.info(fields, message);
  }

  warn(fields: object, message: string): void {
    this.pino.warn(fields, message);
  }

  error(fields: object, message: string): void {
    this.pino.error(fields, message);
  }

  /** Logs nothing less than a warning while the work lasts. */
  async withWarningsOnly<T>(work: () => Promise<T>): Promise<T> {
    const { level } = this.pino;
    if (this.pino.isLevelEnabled('info')) this.pino.level = 'warn';
    try {
      return await work();
    } finally {
      this.pino.level = level;
    }
  }

  /** For Nest's own messages, which are of interest only to those who debug the start. */
  forNest(): LoggerService {
    const at =
      (level: 'debug' | 'warn' | 'error') =>
      (message: unknown, ...rest: unknown[]) =>
        this.pino[level]({ context: rest.at(-1) }, String(message));
    return {
      log: at('debug'),
      error: at('error'),
      warn: at('warn'),
      debug: at('debug'),
      verbose: at('debug'),
    };
  }
}

/** What logs. A class that logs takes this, so that a test can see what it says. */
export type LogWriter = Pick<Log, 'debug' | 'info' | 'warn' | 'error'>;

const nothing = () => undefined;

/** For commands that print what they have to say. */
export const SILENT: LogWriter = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/**
 * Standard output, written some lines at a time: a system call for each would be a twentieth of what a request costs.
 * They wait a tenth of a second at most, and no longer than the process lives; only `kill -9` can take them along.
 */
function standardOutput(): DestinationStream {
  const output = pino.destination({ fd: 1, sync: true, minLength: 4096, periodicFlush: 100 });
  process.once('exit', () => output.flushSync());
  return output;
}

/**
 * What is logged of a fault. PostgreSQL's errors carry more (the failing row, the statement's values), and that is
 * people's data: only what names the place goes into the log.
 */
function describeError(fault: unknown): object {
  if (!(fault instanceof Error)) return { message: String(fault) };
  const { code, constraint, table } = fault as Error & {
    code?: unknown;
    constraint?: unknown;
    table?: unknown;
  };
  return { type: fault.name, message: fault.message, code, constraint, table, stack: fault.stack };
}
