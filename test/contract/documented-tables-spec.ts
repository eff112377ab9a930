import { beforeAll, describe, expect, it } from '@jest/globals';
import { type OpenAPIObject, type OperationObject } from '@nestjs/swagger';
import {
  FIELD_TYPES,
  type FieldType,
} from '../../src/resources/document-types/document-type-field.entity.js';
import { CONDITION_OPERATORS } from '../../src/resources/document-filters/metadata-condition.js';
import { saveDocumentType } from '../factories/document-types.js';
import { saveFile } from '../factories/files.js';
import { type Actor } from '../support/actor.js';
import { TestService } from '../support/service/service.js';

const OPTION = { key: 'open', labelDe: 'Offen', labelEn: 'Open', isRemoved: false };

describe('The tables in the OpenAPI document', () => {
  let admin: Actor;
  let operations: OperationObject[];
  let documentTypeId: string;
  let fileId: string;
  beforeAll(async () => {
    const service = await TestService.shared();
    const tenant = await service.tenant();
    admin = await tenant.as('administrator');
    const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenAPIObject;
    operations = Object.values(document.paths).flatMap((item) => Object.values(item) as OperationObject[]);
    fileId = (await saveFile(tenant, admin)).id;
    const fields = FIELD_TYPES.map((type) => ({
      key: type.toLowerCase(),
      type,
      required: false,
      labelDe: type,
      labelEn: type,
      options: type === 'Enumeration' ? [OPTION] : null,
      referenceTarget: type === 'Reference' ? ('File' as const) : null,
      isRemoved: false,
    }));
    documentTypeId = (await saveDocumentType(tenant, { fields })).id;
  });

  /** The rows of the table in the description of the operation, by field type. */
  function tableOf(operationId: string): Map<string, string[]> {
    const operation = operations.find((candidate) => candidate.operationId === operationId);
    const description = operation?.description ?? '';
    const rows = [...description.matchAll(/^\| `(\w+)` \|(.*)\|$/gm)];
    return new Map(
      rows.map(([, type = '', cells = '']) => [type, cells.split(' | ').map((cell) => cell.trim())]),
    );
  }

  const own = (type: FieldType): unknown => ({ Enumeration: OPTION.key, Reference: fileId })[type as string];

  it('show an example that CreateDocument accepts for every field type', async () => {
    const table = tableOf('CreateDocument');
    expect([...table.keys()]).toEqual([...FIELD_TYPES]);
    for (const type of FIELD_TYPES) {
      const [, cell = ''] = table.get(type) ?? [];
      const value = own(type) ?? (JSON.parse(cell.replaceAll('`', '')) as unknown);
      const response = await admin.post('/documents', {
        title: type,
        documentTypeId,
        fields: { [type.toLowerCase()]: value },
      });
      expect({ type, status: response.status, answer: response.text }).toEqual({
        type,
        status: 201,
        answer: expect.any(String),
      });
    }
  });

  it('list exactly the operators that SearchDocuments accepts for every field type', async () => {
    const table = tableOf('SearchDocuments');
    expect([...table.keys()]).toEqual([...FIELD_TYPES]);
    const values: Record<FieldType, string> = {
      Text: 'x',
      Number: '1',
      Date: '2026-11-20',
      Money: '1234.50 EUR',
      Enumeration: OPTION.key,
      Reference: fileId,
    };
    for (const type of FIELD_TYPES) {
      const accepted: string[] = [];
      for (const operator of CONDITION_OPERATORS) {
        const value = operator.startsWith('Is') ? null : values[type];
        const metadataConditions = [{ fieldKey: type.toLowerCase(), operator, value }];
        const { status } = await admin.post('/documents/search', {
          filter: { documentTypeId, metadataConditions },
        });
        if (status === 200) accepted.push(operator);
      }
      const [listed = ''] = table.get(type) ?? [];
      expect({ type, operators: listed.split(', ').sort() }).toEqual({ type, operators: accepted.sort() });
    }
  });
});
