import { type SchemaObject } from '@nestjs/swagger';
import { isJsonObject } from '../../../common/json-object.js';
import { memberPath } from '../../../common/member-path.js';
import { type Schema } from './body-schemas.js';

type NamedSchemas = Readonly<Record<string, Schema>>;

const MAX_REPORTED = 100;

/**
 * Returns the JSON paths of members, at any depth, that the schema does not declare. A schema that is composed (allOf,
 * oneOf, anyOf) declares the members of all its parts. An object schema without `properties` declares every member.
 * Members named `__proto__` are always reported, because the JSON parser usually drops them.
 *
 * @param named schemas that `$ref` can refer to, by name
 */
export function unknownMembers(value: unknown, schema: Schema, named: NamedSchemas): string[] {
  const unknown: string[] = [];
  collect(value, [schema], '');
  return unknown;

  function collect(part: unknown, declaredSchemas: readonly Schema[], path: string): void {
    const schemas = declaredSchemas.flatMap((declared) => withComponents(declared, named));
    if (Array.isArray(part)) {
      const itemSchemas = schemas.flatMap(({ items }) => items ?? []);
      part.forEach((item, index) => collect(item, itemSchemas, `${path}[${index}]`));
    } else if (isJsonObject(part)) {
      const acceptsAll = schemas.every(({ properties }) => !properties);
      for (const [name, member] of Object.entries(part)) {
        if (unknown.length >= MAX_REPORTED) return;
        const declared = schemas.flatMap((parent) => memberSchemas(parent, name));
        const pathOfMember = path + memberPath(name);
        if (name === '__proto__' || (!acceptsAll && declared.length === 0))
          // Without the leading dot of a top-level member.
          unknown.push(pathOfMember.replace(/^\./, ''));
        else collect(member, declared, pathOfMember);
      }
    }
  }
}

/** Returns the schema of a member; empty if it is not declared. Absent `additionalProperties` means false here. */
function memberSchemas({ properties, additionalProperties }: SchemaObject, name: string): Schema[] {
  if (properties && Object.hasOwn(properties, name)) return [properties[name] as Schema];
  if (!additionalProperties) return [];
  return [additionalProperties === true ? {} : additionalProperties];
}

/** Returns the schema and all schemas that it is composed of (allOf, oneOf, anyOf), with references resolved. */
function withComponents(schema: Schema, named: NamedSchemas): SchemaObject[] {
  if ('$ref' in schema) {
    const target = named[schema.$ref.split('/').at(-1) ?? ''];
    return target ? withComponents(target, named) : [];
  }
  const parts = [schema.allOf, schema.oneOf, schema.anyOf].flatMap((list) => list ?? []);
  return [schema, ...parts.flatMap((part) => withComponents(part, named))];
}
