import { HttpCode, SetMetadata, type Type, UseInterceptors, applyDecorators } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse } from '@nestjs/swagger';
import { BodyInterceptor } from '../body/body.interceptor.js';
import { ENDPOINT, type EndpointOptions, type ProblemStatus, takesBody } from './endpoint-options.js';

/**
 * Declares an operation on its handler. The application does not start if a route has neither @Endpoint nor
 * @PublicRoute. Nest's OpenAPI scan only needs the DTO classes; documentation/operation.ts builds the rest of the
 * description from the options.
 */
export function Endpoint<const S extends ProblemStatus>(options: EndpointOptions<S>): MethodDecorator {
  const { operation, summary, body, returns, success } = options;
  return applyDecorators(
    SetMetadata(ENDPOINT, options),
    HttpCode(success),
    ApiOperation({ operationId: operation, summary }),
    ...(takesBody(options) ? [UseInterceptors(BodyInterceptor)] : []),
    ...(body ? [ApiBody({ type: body, required: true })] : []),
    ...(returns ? [ApiResponse({ status: success, ...shapeOf(returns) })] : []),
  );
}

function shapeOf(returns: Type | readonly [Type]): { type: Type; isArray?: boolean } {
  return typeof returns === 'function' ? { type: returns } : { type: returns[0], isArray: true };
}
