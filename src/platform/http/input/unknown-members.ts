import { type SchemaObject } from '@nestjs/swagger';
import { isJsonObject } from '../../../common/json-object.js';
import { memberPath } from '../../../common/member-path.js';
import { type Schema } from './body-schemas.js';

type Schemas = Readonly<Record<string, Schema>>;

const MAX_REPORTED = 100;

/**
 * Returns the JSON paths of members, at any depth, that the schema does not declare. Where a schema has alternatives,
 * a member of any alternative is declared. `__proto__` is always reported.
 *
 * @param schemas targets of references, by name
 */
export function unknownMembers(value: unknown, schema: Schema, schemas: Schemas): string[] {
  const found: string[] = [];
  collect(value, [schema], '');
  return found;

  function collect(part: unknown, given: readonly Schema[], path: string): void {
    const alternatives = given.flatMap((one) => alternativesOf(one, schemas));
    if (Array.isArray(part)) {
      const items = alternatives.flatMap((one) => one.items ?? []);
      part.forEach((item, index) => collect(item, items, `${path}[${index}]`));
    } else if (isJsonObject(part)) {
      const isOpen = !alternatives.some(({ properties }) => properties);
      for (const [name, member] of Object.entries(part)) {
        if (found.length >= MAX_REPORTED) return;
        const declared = alternatives.flatMap((one) => memberSchemas(one, name));
        const memberAt = path + memberPath(name);
        if (name === '__proto__' || (!isOpen && declared.length === 0))
          found.push(memberAt.replace(/^\./, ''));
        else collect(member, declared, memberAt);
      }
    }
  }
}

/** The schemas of a member; empty if the schema does not declare it. */
function memberSchemas({ properties, additionalProperties }: SchemaObject, name: string): Schema[] {
  if (properties && Object.hasOwn(properties, name)) return [properties[name] as Schema];
  if (!additionalProperties) return [];
  return [additionalProperties === true ? {} : additionalProperties];
}

/** The schema and the schemas that it is composed of (allOf, oneOf, anyOf), with references resolved. */
function alternativesOf(schema: Schema, schemas: Schemas): SchemaObject[] {
  if ('$ref' in schema) {
    const named = schemas[schema.$ref.split('/').at(-1) ?? ''];
    return named ? alternativesOf(named, schemas) : [];
  }
  const parts = [schema.allOf, schema.oneOf, schema.anyOf].flatMap((list) => list ?? []);
  return [schema, ...parts.flatMap((part) => alternativesOf(part, schemas))];
}
