import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type Observable, finalize } from 'rxjs';
import { ContentStore } from '../../content/content-store.js';
import { type UploadedContent } from './multipart-upload.js';

interface UploadState {
  readonly upload?: UploadedContent | null;
}

/**
 * For operations that take content. Discards the uploaded bytes after the handler has finished, unless a document
 * uses them. Not earlier: a client that disconnects must not delete bytes that a running transaction still needs.
 */
@Injectable()
export class UnusedUploadInterceptor implements NestInterceptor {
  constructor(private readonly store: ContentStore) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { state } = context.switchToHttp().getRequest<{ state: UploadState }>();
    return next.handle().pipe(finalize(() => discardUpload(state, this.store)));
  }
}

/** Discards the uploaded bytes in the background, unless a document uses them. The content sweep deletes the rest. */
export function discardUpload({ upload }: UploadState, store: ContentStore): void {
  if (upload) void store.discard(upload.received).catch(() => undefined);
}
