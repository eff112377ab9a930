import { beforeAll, describe, expect, it } from '@jest/globals';
import { type FieldErrors } from '../../../src/common/problem.js';
import { UnitOfWork } from '../../../src/platform/database/transactions/unit-of-work.js';
import {
  DocumentFiltersReader,
  NO_FILTER,
} from '../../../src/resources/document-filters/document-filters.reader.js';
import { type MetadataCondition } from '../../../src/resources/document-filters/metadata-condition.js';
import { serviceContext } from '../../../src/platform/tenancy/access/access.directory.js';
import { buildField, saveDocumentType } from '../../factories/document-types.js';
import { saveTypeWithAllFieldTypes } from '../../factories/saved-views.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

type Operator = MetadataCondition['operator'];

describe('DocumentFiltersReader.resolveConditions', () => {
  let tenant: TestTenant;
  let invoice: string;
  let letter: string;
  let memo: string;

  beforeAll(async () => {
    tenant = await service.tenant();
    invoice = (await saveTypeWithAllFieldTypes(tenant)).id;
    letter = (
      await saveDocumentType(tenant, {
        fields: [buildField('note'), buildField('count'), buildField('kind', { options: ['in'] })],
      })
    ).id;
    // Documents of inactive types are searched, too.
    memo = (await saveDocumentType(tenant, { isActive: false, fields: [buildField('note')] })).id;
    const elsewhere = await service.tenant();
    await saveDocumentType(elsewhere, { fields: [buildField('note'), buildField('foreign')] });
  });

  const resolve = (conditions: [string, Operator, string | null][], type: string | null) => {
    const filters = service.app.get(DocumentFiltersReader, { strict: false });
    const errors: FieldErrors = {};
    const metadataConditions = conditions.map(([fieldKey, operator, value]) => ({
      fieldKey,
      operator,
      value,
    }));
    const filter = { ...NO_FILTER, documentTypeId: type, metadataConditions };
    return service.app
      .get(UnitOfWork, { strict: false })
      .read(serviceContext(tenant.id), (tx) => filters.resolveConditions(tx, filter, errors))
      .then((resolved) => ({ resolved: resolved ?? [], errors }));
  };

  /** For each part of the condition: the field type, the document types and the operand. */
  async function partsOf(condition: [string, Operator, string | null], type: string | null) {
    const { resolved, errors } = await resolve([condition], type);
    expect(errors).toEqual({});
    expect(resolved).toHaveLength(1);
    return resolved.flatMap(({ parts }) =>
      parts.map((part) => {
        expect(part.fieldIds).toHaveLength(part.documentTypeIds.length);
        return [part.type, [...part.documentTypeIds].sort(), part.operand?.value ?? null];
      }),
    );
  }

  describe('for one document type', () => {
    it.each<[string, Operator, string | null, string, string | null]>([
      ['note', 'Contains', 'Straße', 'Text', 'strasse'],
      ['count', 'GreaterThan', '1.50', 'Number', '1.5'],
      ['due', 'LessThanOrEqual', '2026-11-20', 'Date', '2026-11-20'],
      ['money', 'EqualTo', '5.00 EUR', 'Money', '5'],
      ['state', 'NotEqualTo', 'gone', 'Enumeration', 'gone'],
      ['file', 'IsEmpty', null, 'Reference', null],
      ['note', 'IsNotEmpty', null, 'Text', null],
    ])('resolves %s %s %j', async (key, operator, value, fieldType, operand) => {
      expect(await partsOf([key, operator, value], invoice)).toEqual([[fieldType, [invoice], operand]]);
    });

    it.each<[Operator, string | null, string, string]>([
      ['Contains', '1', 'count', 'operator'],
      ['GreaterThan', 'a', 'note', 'operator'],
      ['EqualTo', null, 'note', 'value'],
      ['IsEmpty', '', 'note', 'value'],
      ['EqualTo', '2026-02-29', 'due', 'value'],
      ['EqualTo', 'x', 'gone', 'fieldKey'],
      ['IsEmpty', null, 'kind', 'fieldKey'],
      ['IsEmpty', null, 'foreign', 'fieldKey'],
      ['IsEmpty', null, 'constructor', 'fieldKey'],
    ])('rejects %s %j of %s with an error at its %s', async (operator, value, key, member) => {
      const { resolved, errors } = await resolve(
        [
          ['note', 'IsEmpty', null],
          [key, operator, value],
        ],
        invoice,
      );
      expect([resolved.length, Object.keys(errors)]).toEqual([1, [`metadataConditions[1].${member}`]]);
    });
  });

  describe('for all document types', () => {
    it('resolves to all types that have the field, including inactive ones', async () => {
      expect(await partsOf(['note', 'EqualTo', 'A'], null)).toEqual([
        ['Text', [invoice, letter, memo].sort(), 'a'],
      ]);
    });

    it.each<[Operator, string | null, string[]]>([
      // "count" is a Number in one type and a Text in the other: operator and value decide, or both match.
      ['EqualTo', '10', ['Number', 'Text']],
      ['EqualTo', 'ten', ['Text']],
      ['GreaterThan', '9', ['Number']],
      ['Contains', '1', ['Text']],
      ['IsEmpty', null, ['Number', 'Text']],
    ])('resolves count %s %j to fields of the types %j', async (operator, value, types) => {
      expect((await partsOf(['count', operator, value], null)).map(([type]) => type).sort()).toEqual(types);
    });

    it.each<[string, Operator, string | null, string]>([
      ['unknown', 'IsEmpty', null, 'fieldKey'],
      ['gone', 'IsEmpty', null, 'fieldKey'],
      ['kind', 'Contains', 'i', 'operator'],
      ['count', 'GreaterThan', 'nine', 'value'],
      ['count', 'EqualTo', '', 'value'],
      ['count', 'EqualTo', null, 'value'],
    ])('rejects %s %s %j with an error at its %s', async (key, operator, value, member) => {
      const { errors } = await resolve([[key, operator, value]], null);
      expect(Object.keys(errors)).toEqual([`metadataConditions[0].${member}`]);
    });
  });

  it('resolves an empty list without reading the document types', async () => {
    expect(await resolve([], null)).toEqual({ resolved: [], errors: {} });
  });
});
