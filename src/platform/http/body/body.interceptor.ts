import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type Observable, finalize } from 'rxjs';
import { StrictHandling } from '../input/strict-handling.js';
import { conditionsOf } from '../pipeline/request-conditions.js';
import { requestOf, responseOf } from '../pipeline/request-state.js';
import { BodyReader } from './body-reader.js';

/** Reads the body before the pipes. @Endpoint adds it to the operations that take one; others pay nothing for it. */
@Injectable()
export class BodyInterceptor implements NestInterceptor {
  constructor(
    private readonly reader: BodyReader,
    private readonly strictHandling: StrictHandling,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = requestOf(context);
    const { state } = request;
    const { caller, endpoint } = state;
    if (!endpoint) return next.handle();
    try {
      await this.reader.read(request, responseOf(context), this.strictHandling.of(context, endpoint));
      // Reading the body can take long, so check the rights again. The transaction rechecks the role, not the grants.
      await caller?.recheckPermission();
      if (caller) caller.conditions = conditionsOf(request, endpoint);
    } catch (error) {
      this.reader.discard(request);
      throw error;
    }
    if (!state.upload) return next.handle();
    // Not before the handler has finished: a transaction can still need the bytes after the client has disconnected.
    return next.handle().pipe(finalize(() => this.reader.discard(request)));
  }
}
