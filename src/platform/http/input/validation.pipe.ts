import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { type ValidationError, getMetadataStorage, validateSync } from 'class-validator';
import { isJsonObject } from '../../../common/json-object.js';
import { type FieldErrors, invalid, invalidValue } from '../../../common/problem.js';
import { unpackFaults } from './fields.js';
import { readMembers } from './read-members.js';

rememberDeclarations();

const PLAIN: ReadonlySet<unknown> = new Set([String, Boolean, Number, Array, Object]);

/**
 * Reads bodies and queries into their DTO classes and reports all faults of a request at once, by JSON path.
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
  collect(validateSync(instance, { forbidUnknownValues: false }), '', errors);
  return errors;
}

function collect(faults: ValidationError[], parent: string, errors: FieldErrors): void {
  for (const { property, constraints, children } of faults) {
    const path = /^\d+$/.test(property)
      ? `${parent}[${property}]`
      : parent
        ? `${parent}.${property}`
        : property;
    for (const message of Object.values(constraints ?? {})) {
      for (const [part, found] of Object.entries(unpackFaults(message)))
        (errors[`${path}${part}`] ??= []).push(found);
    }
    if (children?.length) collect(children, path, errors);
  }
}

/**
 * What a class declares never changes, but class-validator looks for it anew each time, among the classes of all DTOs:
 * without groups, which nothing here uses, the answer is the same as the last time.
 */
function rememberDeclarations(): void {
  const storage = getMetadataStorage();
  const known = new Map<unknown, ReturnType<typeof storage.getTargetValidationMetadatas>>();
  const find = storage.getTargetValidationMetadatas.bind(storage);
  storage.getTargetValidationMetadatas = (target, ...options) => {
    const isPlain = options.every((option) => !option || option === '');
    let declared = isPlain ? known.get(target) : undefined;
    if (!declared) {
      declared = find(target, ...options);
      if (isPlain) known.set(target, declared);
    }
    return declared;
  };
}
