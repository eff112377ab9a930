import { describe, expect, it } from '@jest/globals';
import { message } from '../../../../src/common/messages/message.js';
import { Problem } from '../../../../src/common/problem.js';
import { Field } from '../../../../src/platform/http/input/field.js';
import { Rule } from '../../../../src/platform/http/input/rule.js';
import { NameField, TextField } from '../../../../src/platform/http/input/text-field.js';
import { UuidListField } from '../../../../src/platform/http/input/uuid-field.js';
import { ValidationPipe } from '../../../../src/platform/http/input/validation.pipe.js';

class Named {
  @NameField()
  name!: string;
}

class Body extends Named {
  @Field(
    { type: 'object', additionalProperties: true },
    { optional: true },
    Rule('object', (value, body) =>
      (body as Body).name === 'strict' && typeof value !== 'object' ? message('value.object') : null,
    ),
  )
  fields?: unknown;

  @UuidListField({ max: 2, optional: true })
  ids?: string[];

  @TextField({ max: 2000, optional: true, lines: true })
  override name = 'default';
}

const read = (sent: unknown, metatype: new () => object = Body) =>
  new ValidationPipe().transform(sent, { type: 'body', metatype });

function errorsOf(sent: unknown): unknown {
  try {
    read(sent);
  } catch (error) {
    return (error as Problem).wording('en').errors;
  }
  return null;
}

describe('Conversion of a body to its DTO', () => {
  it('keeps only declared members', () => {
    const body = read({ name: ' N ', other: 1, tenantId: 'x' }, Named);
    expect(body).toBeInstanceOf(Named);
    expect({ ...(body as object) }).toEqual({ name: 'N' });
  });

  it('ignores inherited members of the body', () => {
    expect(Object.keys(read(Object.create({ fields: 1 })) as object)).toEqual(['name']);
  });

  it('prefers the declaration of a class to that of its base class', () => {
    expect((read({ name: `${'x'.repeat(300)}\ny` }) as Body).name).toHaveLength(302);
    expect((read({}) as Body).name).toBe('default');
  });

  it.each(['constructor', 'toString', 'valueOf', 'hasOwnProperty', 'then', 'prototype'])(
    'does not change data with a member %s, and never calls it',
    (member) => {
      for (const value of [1, 'x', null, { a: 1 }, ['x']]) {
        const fields = JSON.parse(JSON.stringify({ [member]: value })) as object;
        expect((read({ name: 'n', fields, [member]: value, unknown: fields }) as Body).fields).toBe(fields);
        expect(errorsOf({ name: fields })).toEqual({ name: ['must be a string'] });
        expect(errorsOf({ name: 'n', ids: [fields] })).toEqual({ 'ids[0]': ['must be a UUID'] });
      }
    },
  );

  it('lets a rule read the other members of the body', () => {
    expect(errorsOf({ name: 'strict', fields: 1 })).toEqual({ fields: ['must be an object'] });
    expect(errorsOf({ name: 'lax', fields: 1 })).toBeNull();
  });
});
