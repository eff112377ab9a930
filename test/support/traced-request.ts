import { type Agent } from 'node:http';
import { type CallbackHandler } from 'superagent';
import supertest from 'supertest';

/**
 * A request of supertest that reuses connections, and formats the stack of its call only when it fails: formatting a
 * stack for each expectation takes longer than the expectations, because of the source maps.
 */
export class TracedRequest extends supertest.Test {
  private readonly call = new Error();

  constructor(serviceUrl: string, method: string, path: string, agent: Agent) {
    super(serviceUrl, method, path);
    void this.agent(agent);
  }

  override expect(...expectation: unknown[]): this {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    try {
      // One of several signatures.
      return super.expect(...(expectation as [status: number]));
    } finally {
      Error.stackTraceLimit = limit;
    }
  }

  override end(callback?: CallbackHandler): this {
    return super.end((error: unknown, response) => {
      if (error instanceof Error) {
        const ofSpec = framesOf(this.call).filter((frame) => !frame.includes('/test/support/'));
        error.stack = [String(error), ...ofSpec, '----', ...framesOf(error)].join('\n');
      }
      callback?.(error, response);
    });
  }
}

function framesOf({ stack = '' }: Error): string[] {
  return stack.split('\n').filter((line) => /^ {4}at /.test(line));
}
