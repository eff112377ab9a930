import { HttpCode, SetMetadata, type Type, UseInterceptors, applyDecorators } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ApiBody, ApiOperation, ApiResponse } from '@nestjs/swagger';
import { PROBLEMS } from '../../../common/messages/problems.js';
import { BodyInterceptor } from '../body/body.interceptor.js';
import { ENDPOINT, type EndpointDeclaration, type EndpointOptions, takesBody } from './endpoint-options.js';
import { isPathParameter } from './path-id.js';

/** Nest's metadata of a parameter of a handler. */
interface Parameter {
  readonly index: number;
  readonly factory?: unknown;
}

/**
 * Declares an operation on its handler. The application does not start if a route has neither @Endpoint nor
 * @PublicRoute. Nest's OpenAPI scan only needs the DTO classes; documentation/operation.ts builds the rest of the
 * description from the options.
 */
export function Endpoint(declaration: EndpointDeclaration): MethodDecorator {
  return (target, key, descriptor) => {
    const options = complete(declaration, target, key);
    const { operation, summary, body, returns, success } = options;
    applyDecorators(
      SetMetadata(ENDPOINT, options),
      HttpCode(success),
      ApiOperation({ operationId: operation, summary }),
      ...(takesBody(options) ? [UseInterceptors(BodyInterceptor)] : []),
      ...(body ? [ApiBody({ type: body, required: true })] : []),
      ...(returns ? [ApiResponse({ status: success, ...shapeOf(returns) })] : []),
    )(target, key, descriptor);
  };
}

/** Adds what follows from the declaration and from the parameters of the handler. */
function complete(declaration: EndpointDeclaration, target: object, key: string | symbol): EndpointOptions {
  const { returns, streams, produces, idempotent, validated = true, problems = [], codes = [] } = declaration;
  // TypeScript runs the decorators of the parameters before those of the method.
  const parameters = Object.entries(
    (Reflect.getMetadata(ROUTE_ARGS_METADATA, target.constructor, key) ?? {}) as Record<string, Parameter>,
  );
  const find = (kind: RouteParamtypes) => parameters.find(([type]) => type.startsWith(`${kind}:`))?.[1];
  const types = Reflect.getMetadata('design:paramtypes', target, key) as readonly Type<object>[];
  const body = find(RouteParamtypes.BODY);
  const options = { ...(body && { body: types[body.index] }), ...declaration };
  const query = find(RouteParamtypes.QUERY);
  const hasPathParameter = parameters.some(([, parameter]) => isPathParameter(parameter));
  return {
    ...options,
    ...(query && { query: types[query.index] }),
    success: declaration.success ?? (returns || streams || produces ? 200 : 204),
    problems: [
      ...problems,
      ...codes.map((code) => PROBLEMS[code].status),
      ...(query || idempotent || (takesBody(options) && validated) ? [400 as const] : []),
      ...(hasPathParameter ? [404 as const] : []),
    ],
  };
}

function shapeOf(returns: Type | readonly [Type]): { type: Type; isArray?: boolean } {
  return typeof returns === 'function' ? { type: returns } : { type: returns[0], isArray: true };
}
