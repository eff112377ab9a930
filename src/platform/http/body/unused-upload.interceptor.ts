import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type Observable, finalize } from 'rxjs';
import { ContentStore } from '../../content/content-store.js';
import { type UploadedContent } from './multipart-upload.js';

/** What a request has of its upload. */
interface UploadState {
  readonly upload?: UploadedContent | null;
}

/**
 * Around operations that take content. Whatever became of the request, its bytes are dropped if no document took them,
 * but not before it is over: who hangs up while the transaction is under way must not take them away.
 */
@Injectable()
export class UnusedUploadInterceptor implements NestInterceptor {
  constructor(private readonly store: ContentStore) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { state } = context.switchToHttp().getRequest<{ state: UploadState }>();
    return next.handle().pipe(finalize(() => discardUpload(state, this.store)));
  }
}

/** Drops the request's bytes in the background, unless a document has them. The sweep finds what stays. */
export function discardUpload({ upload }: UploadState, store: ContentStore): void {
  if (upload) void store.discard(upload.received).catch(() => undefined);
}
