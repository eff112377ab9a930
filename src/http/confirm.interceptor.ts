import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type Observable, catchError, from, mergeMap, throwError } from 'rxjs';
import { Problem } from '../common/problem.js';
import { requestOf } from './request-state.js';

/**
 * A refusal that was found before any trip to the database (a bad value, say) still rests on remembered rights:
 * they are read anew first, so that who has lost them learns nothing but that. A failure of ours (5xx) tells nobody
 * anything, and is no moment to ask the database for more.
 */
@Injectable()
export class ConfirmInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { state } = requestOf(context);
    return next.handle().pipe(
      catchError((error: unknown) => {
        const { caller } = state;
        const isRefusal = error instanceof Problem && error.status < 500;
        if (!caller || caller.confirmed || !isRefusal) return throwError(() => error);
        return from(caller.revalidate()).pipe(mergeMap(() => throwError(() => error)));
      }),
    );
  }
}
