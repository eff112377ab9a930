import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { type ValidationError, type ValidatorOptions, validateSync } from 'class-validator';
import { LRUCache } from 'lru-cache';
import { isJsonObject } from '../../../common/json-object.js';
import { isMessage } from '../../../common/messages/message.js';
import { type FieldErrors, invalid, invalidValue } from '../../../common/problem.js';
import { type RuleContext, type ValueErrors } from './rule.js';

const PLAIN: ReadonlySet<unknown> = new Set([String, Boolean, Number, Array, Object]);

const OPTIONS: ValidatorOptions = {
  stopAtFirstError: true,
  // For absent and null values, only IsDefined is checked.
  skipMissingProperties: true,
  // Allow DTO classes without members.
  forbidUnknownValues: false,
};

type DtoClass = new () => object;

/** Longest query whose result is cached, as JSON in characters. */
const MAX_CACHED_LENGTH = 200;

/**
 * Converts bodies and queries to instances of their DTO classes. Drops undeclared members. Reports all invalid
 * members of the body or query together, by JSON path.
 *
 * Valid queries are cached, because clients repeat them: no query, or the first page of a list. So the instance of a
 * query is frozen.
 */
@Injectable()
export class ValidationPipe implements PipeTransform {
  private readonly queries = new Map<DtoClass, LRUCache<string, object>>();

  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if ((type !== 'body' && type !== 'query') || !metatype || PLAIN.has(metatype)) return value;
    if (!isJsonObject(value)) throw invalidValue('$', 'value.json-object');
    const dto = metatype as DtoClass;
    return type === 'body' ? validInstance(dto, value) : this.queryOf(dto, value);
  }

  private queryOf(dto: DtoClass, sent: object): object {
    let cached = this.queries.get(dto);
    if (!cached) this.queries.set(dto, (cached = new LRUCache({ max: 100 })));
    const key = JSON.stringify(sent);
    const known = cached.get(key);
    if (known) return known;
    const instance = validInstance(dto, sent);
    for (const list of Object.values(instance)) if (Array.isArray(list)) Object.freeze(list);
    if (key.length <= MAX_CACHED_LENGTH) cached.set(key, instance);
    return Object.freeze(instance);
  }
}

function validInstance(dto: DtoClass, sent: object): object {
  const instance = toInstance(dto, sent);
  const errors = errorsIn(instance);
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return instance;
}

/** Creates an instance of the DTO class from the members that the class declares. */
export function toInstance<T extends object>(dto: new () => T, sent: object): T {
  return plainToInstance(dto, sent, { excludeExtraneousValues: true, exposeUnsetFields: false });
}

/** The errors by JSON path; empty if the instance is valid. */
export function errorsIn(instance: object): FieldErrors {
  const errors: FieldErrors = {};
  for (const error of validateSync(instance, OPTIONS)) {
    const found = errorsOf(error);
    if (isMessage(found)) errors[error.property] = [found];
    else for (const [place, message] of Object.entries(found)) errors[error.property + place] = [message];
  }
  return errors;
}

function errorsOf({ contexts, property, value, target }: ValidationError): ValueErrors {
  const [context] = Object.values(contexts ?? {}) as RuleContext[];
  const errors = context && ('message' in context ? context.message : context.check(value, target ?? {}));
  if (!errors) throw new Error(`A rule of ${property} has no message`);
  return errors;
}
