import { createRequire } from 'node:module';
import { type LoggerService, Injectable } from '@nestjs/common';
import { type DestinationStream, type Logger, pino } from 'pino';
import { type Configuration } from '../config/configuration.js';
import { activeSpan, traceFields } from '../telemetry/span.js';

/** Minimum time between two entries of a lasting error. */
const LASTING_ERROR_MS = 60_000;

/** The structured log of the service. It never contains tokens, bodies, query strings or titles of requests. */
@Injectable()
export class Log {
  readonly pino: Logger;
  private readonly loggedAt = new Map<string, number>();

  /** @param destination Standard output by default. */
  constructor(
    {
      logLevel,
      logFormat,
      otlpEndpoint,
    }: Pick<Configuration, 'logLevel' | 'logFormat'> & Partial<Pick<Configuration, 'otlpEndpoint'>>,
    destination?: DestinationStream,
    /** Number of the process, when the service has several. */
    instance?: number,
  ) {
    const options = {
      level: logLevel,
      base: instance === undefined ? null : { instance },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label: string) => ({ level: label }) },
      serializers: { err: describeError },
      ...(otlpEndpoint !== undefined && { mixin: () => traceFields(activeSpan()) }),
    };
    this.pino = pino(
      options,
      destination ?? (logFormat === 'pretty' ? prettyLog() : standardOutput(instance)),
    );
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

  /**
   * Logs an error that can last, such as that of a database that is away, once a minute.
   *
   * @param message a constant
   */
  lastingError(fields: object, message: string): void {
    const now = performance.now();
    if (now - (this.loggedAt.get(message) ?? -Infinity) < LASTING_ERROR_MS) return;
    this.loggedAt.set(message, now);
    this.error(fields, message);
  }

  /** Logs only warnings and errors while `work` runs. */
  async withWarningsOnly<T>(work: () => Promise<T>): Promise<T> {
    const { level } = this.pino;
    if (this.pino.isLevelEnabled('info')) this.pino.level = 'warn';
    try {
      return await work();
    } finally {
      this.pino.level = level;
    }
  }

  /** Logger for Nest. Its informational messages are logged as debug messages. */
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

/** Classes depend on this type, so that tests can replace the log. */
export type LogWriter = Pick<Log, 'debug' | 'info' | 'warn' | 'error'>;

const nothing = () => undefined;

/** A log that discards everything, for commands that print their messages. */
export const SILENT: LogWriter = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** Up to this size, Linux writes to a pipe at once, so that lines of several processes do not mix. */
const PIPE_BUFFER = 4096;

/**
 * Buffered standard output, because a system call per line would take 5 % of the time of a request. Lines are written
 * after at most 100 ms, and when the process ends. Only SIGKILL can lose them.
 */
function standardOutput(instance: number | undefined): DestinationStream {
  // The buffer is written with the line that exceeds this length.
  const minLength = instance === undefined ? PIPE_BUFFER : PIPE_BUFFER / 2;
  const output = pino.destination({ fd: 1, sync: true, minLength, periodicFlush: 100 });
  process.once('exit', () => output.flushSync());
  return output;
}

/** Readable lines for a terminal. pino-pretty is loaded only when it is used. */
function prettyLog(): DestinationStream {
  const pinoPretty = createRequire(import.meta.url)('pino-pretty') as typeof import('pino-pretty');
  return pinoPretty({
    colorize: process.stdout.isTTY,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'pid,hostname',
    sync: true,
  });
}

/**
 * Members of an error that are logged. PostgreSQL's errors have more (the failing row, the values of the statement),
 * which is user data and must not be logged.
 */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, constraint, table } = error as Error & {
    code?: unknown;
    constraint?: unknown;
    table?: unknown;
  };
  return { type: error.name, message: error.message, code, constraint, table, stack: error.stack };
}
