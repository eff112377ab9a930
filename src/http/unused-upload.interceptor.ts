import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type Observable, finalize } from 'rxjs';
import { ContentStore } from '../content/content-store.js';
import { type FilingRequest } from './request-state.js';

/**
 * Around operations that take content. Whatever became of the request, its bytes are dropped if no document took them,
 * but not before it is over: who hangs up while the transaction is under way must not take them away.
 */
@Injectable()
export class UnusedUploadInterceptor implements NestInterceptor {
  constructor(private readonly store: ContentStore) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FilingRequest>();
    return next.handle().pipe(finalize(() => discardUpload(request, this.store)));
  }
}

/** Drops the request's bytes in the background, unless a document has them. The sweep finds what stays. */
export function discardUpload({ state }: FilingRequest, store: ContentStore): void {
  if (state.upload) void store.discard(state.upload.received).catch(() => undefined);
}
