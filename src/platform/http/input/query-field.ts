import { applyDecorators } from '@nestjs/common';
import { type ApiPropertyOptions } from '@nestjs/swagger';
import { IsNotEmpty, IsString } from 'class-validator';
import { message } from '../../../common/messages/message.js';
import { DocumentedMember, type FieldOptions, conflict } from './field.js';
import { withMessage } from './rule.js';

export interface QueryOptions extends Pick<FieldOptions, 'conflict' | 'description' | 'example'> {
  readonly mayBeEmpty?: boolean;
}

/** A query parameter: optional, and present at most once. */
export function QueryField(
  api: ApiPropertyOptions,
  { mayBeEmpty = false, ...options }: QueryOptions,
  ...rules: PropertyDecorator[]
): PropertyDecorator {
  return applyDecorators(
    DocumentedMember(api, { ...options, optional: true }),
    ...conflict(options),
    IsGivenOnce(),
    ...(mayBeEmpty ? [] : [IsNotEmpty(withMessage(message('value.empty')))]),
    ...rules,
  );
}

/** A parameter that is present several times is parsed as an array, so it is not a string. */
export function IsGivenOnce(): PropertyDecorator {
  return IsString(withMessage(message('value.given-twice')));
}
