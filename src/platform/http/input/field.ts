import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsDefined, ValidateIf } from 'class-validator';
import { type Message, message } from '../../../common/messages/message.js';
import { AsSent } from './read-with.js';
import { Rule, withMessage } from './rule.js';

export interface FieldOptions {
  /** The member can be absent. */
  readonly optional?: boolean;
  /** The member can be null or absent. */
  readonly nullable?: boolean;
  /** Only with `nullable`: whether the other members of the body require a value. */
  readonly requiredIf?: (body: object) => boolean;
  /** The error if the other members of the body exclude a value; otherwise null. */
  readonly conflict?: (body: object) => Message | null;
  /** Only described: an absent value stays absent. */
  readonly default?: number;
  readonly description?: string;
  readonly example?: unknown;
}

/** A member of a body. The rules apply to present values, in order; the first violated one is reported. */
export function Field(
  api: ApiPropertyOptions,
  options: FieldOptions,
  ...rules: PropertyDecorator[]
): PropertyDecorator {
  return applyDecorators(
    ...presence(options),
    ...conflict(options),
    ...rules,
    DocumentedMember(api, options),
  );
}

/** Must be the last decorator: class-transformer applies the last one first, and the others read what was sent. */
export function DocumentedMember(
  api: ApiPropertyOptions,
  { nullable = false, optional = nullable, default: preset, description, example }: FieldOptions,
): PropertyDecorator {
  return applyDecorators(
    AsSent(),
    ApiProperty({
      ...api,
      ...(preset !== undefined && { default: preset }),
      ...(description !== undefined && { description }),
      ...(example !== undefined && { example }),
      ...(nullable && { nullable }),
      required: !optional,
    } as ApiPropertyOptions),
  );
}

export function conflict({ conflict }: FieldOptions): PropertyDecorator[] {
  return conflict ? [Rule('conflict', (_value, body) => conflict(body))] : [];
}

/** Rules for null and undefined. The validation pipe skips all other rules for these values. */
function presence({ nullable = false, optional = nullable, requiredIf }: FieldOptions): PropertyDecorator[] {
  const required = IsDefined(withMessage(message('value.required')));
  if (!optional) return [required];
  if (!nullable)
    return [ValidateIf((_body, value) => value !== undefined), IsDefined(withMessage(message('value.null')))];
  return requiredIf ? [ValidateIf((body: object, value) => value != null || requiredIf(body)), required] : [];
}
