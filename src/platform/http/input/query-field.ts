import { applyDecorators } from '@nestjs/common';
import { type ApiPropertyOptions } from '@nestjs/swagger';
import { IsNotEmpty, IsString } from 'class-validator';
import { message } from '../../../common/messages/message.js';
import { DocumentedMember, type FieldOptions, conflict } from './field.js';
import { ReadWith } from './read-with.js';
import { Rule, withMessage } from './rule.js';

const GIVEN_TWICE = message('value.given-twice');
/** Stands for the array of values of a repeated parameter. */
const REPEATED = Symbol('REPEATED');

export interface QueryOptions extends Pick<FieldOptions, 'conflict' | 'default' | 'description' | 'example'> {
  readonly mayBeEmpty?: boolean;
}

/** A query parameter: optional, and present at most once. */
export function QueryField(
  api: ApiPropertyOptions,
  { mayBeEmpty = false, ...options }: QueryOptions,
  ...rules: PropertyDecorator[]
): PropertyDecorator {
  return applyDecorators(
    ...conflict(options),
    Rule('givenOnce', (value) => (value === REPEATED ? GIVEN_TWICE : null)),
    ...(mayBeEmpty ? [] : [IsNotEmpty(withMessage(message('value.empty')))]),
    ...rules,
    ReadWith((value) => (Array.isArray(value) ? REPEATED : value)),
    DocumentedMember(api, { ...options, optional: true }),
  );
}

/** A parameter that is present several times is parsed as an array, so it is not a string. */
export function IsGivenOnce(): PropertyDecorator {
  return IsString(withMessage(GIVEN_TWICE));
}
