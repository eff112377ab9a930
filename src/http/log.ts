import { type LoggerService, Injectable } from '@nestjs/common';
import { type Logger, pino } from 'pino';
import { pretty } from './pretty-log.js';
import { type Configuration } from '../config/configuration.js';

/** The service's structured log. Requests are logged by what they are, never by tokens, bodies, queries or titles. */
@Injectable()
export class Log {
  readonly pino: Logger;

  constructor({ logLevel, logFormat }: Pick<Configuration, 'logLevel' | 'logFormat'>) {
    const options = {
      level: logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label: string) => ({ level: label }) },
    };
    this.pino = logFormat === 'pretty' ? pino(options, pretty()) : pino(options);
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
