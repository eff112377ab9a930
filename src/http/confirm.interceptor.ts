import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type Observable, catchError, from, mergeMap, throwError } from 'rxjs';
import { requestOf } from './request-state.js';

/**
 * A refusal that was found before any trip to the database (a bad value, say) still rests on remembered rights:
 * they are read anew first, so that who has lost them learns nothing but that.
 */
@Injectable()
export class ConfirmInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { state } = requestOf(context);
    return next.handle().pipe(
      catchError((error: unknown) => {
        const { caller } = state;
        if (!caller || caller.confirmed) return throwError(() => error);
        return from(caller.revalidate()).pipe(mergeMap(() => throwError(() => error)));
      }),
    );
  }
}
