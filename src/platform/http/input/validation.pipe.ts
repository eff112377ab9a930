import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { type ValidationError, type ValidatorOptions, validateSync } from 'class-validator';
import { isJsonObject } from '../../../common/json-object.js';
import { isMessage } from '../../../common/messages/message.js';
import { type FieldErrors, invalid, invalidValue } from '../../../common/problem.js';
import { readMembers } from './read-members.js';
import { type RuleContext, type ValueErrors } from './rule.js';

const PLAIN: ReadonlySet<unknown> = new Set([String, Boolean, Number, Array, Object]);

const OPTIONS: ValidatorOptions = {
  stopAtFirstError: true,
  // Absent and null values are checked by IsDefined alone.
  skipMissingProperties: true,
  // A DTO class can have no members.
  forbidUnknownValues: false,
};

/**
 * Reads bodies and queries into their DTO classes and reports all invalid members of a request at once, by JSON path.
 * Members that the class does not declare are dropped.
 */
@Injectable()
export class ValidationPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if ((type !== 'body' && type !== 'query') || !metatype || PLAIN.has(metatype)) return value;
    if (!isJsonObject(value)) throw invalidValue('$', 'value.json-object');
    const instance = readMembers(metatype as new () => object, value);
    const errors = errorsIn(instance);
    if (Object.keys(errors).length > 0) throw invalid(errors);
    return instance;
  }
}

/** What is wrong with the values of an instance of a DTO class, by JSON path. */
export function errorsIn(instance: object): FieldErrors {
  const errors: FieldErrors = {};
  for (const error of validateSync(instance, OPTIONS)) {
    const found = errorsOf(error);
    if (isMessage(found)) errors[error.property] = [found];
    else for (const [place, message] of Object.entries(found)) errors[error.property + place] = [message];
  }
  return errors;
}

/** What the violated rule reports of a value. */
function errorsOf({ contexts, property, value, target }: ValidationError): ValueErrors {
  const [context] = Object.values(contexts ?? {}) as RuleContext[];
  const errors = context && ('message' in context ? context.message : context.check(value, target ?? {}));
  if (!errors) throw new Error(`A rule of ${property} has no message`);
  return errors;
}
