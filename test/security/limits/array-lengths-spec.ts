import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { TestService } from '../../support/service/service.js';

/** Text in every item, which is counted when the service reads it. */
const MARKED = 'A\u0308';
const UUID = '0199f7a4-2a10-773a-96e6-7f0e5f09a595';

describe('An array with too many items', () => {
  let admin: Actor;
  beforeAll(async () => {
    admin = await (await (await TestService.shared()).tenant()).as('administrator');
  });
  afterEach(() => void jest.restoreAllMocks());

  const field = { key: MARKED, labelDe: MARKED, labelEn: MARKED, type: 'Text', required: false };
  const option = { key: MARKED, labelDe: MARKED, labelEn: MARKED };
  const condition = { fieldKey: MARKED, operator: 'EqualTo', value: MARKED };
  const name = { key: 'key', name: 'Name', nameDe: 'Name', nameEn: 'Name', labelDe: 'Name', labelEn: 'Name' };
  const filter = { metadataConditions: Array<object>(1000).fill(condition) };

  it.each([
    ['fields', '/document-types', { ...name, fields: Array<object>(10_000).fill(field) }, 'fields'],
    [
      'options',
      '/document-types',
      {
        ...name,
        fields: [{ ...field, key: 'a', type: 'Enumeration', options: Array<object>(10_000).fill(option) }],
      },
      'fields[0].options',
    ],
    ['conditions', '/documents/search', { filter }, 'filter.metadataConditions'],
    ['conditions of a view', '/saved-views', { name: 'View', filter }, 'filter.metadataConditions'],
  ])('returns 400 without reading %s of %s', async (_, path, body, at) => {
    const normalize = jest.spyOn(String.prototype, 'normalize');
    const response = await admin.post(path, body);
    const read = normalize.mock.contexts.filter((text) => String(text) === MARKED).length;
    expect(response.status).toBe(400);
    expect(Object.keys((response.body as { errors: object }).errors)).toContain(at);
    // The service also reads the labels of the field that has the options.
    expect(read).toBeLessThan(5);
  });

  it.each([
    ['/documents', { title: 'A', tagIds: Array<string>(1000).fill(UUID) }, 'tagIds'],
    ['/documents/search', { filter: { tagIds: Array<string>(1000).fill(UUID) } }, 'filter.tagIds'],
    ['/documents/bulk', { action: 'Archive', documentIds: Array<string>(1500).fill(UUID) }, 'documentIds'],
  ])('returns 400 without reading the ids of %s', async (path, body, at) => {
    const lower = jest.spyOn(String.prototype, 'toLowerCase');
    const response = await admin.post(path, body);
    const read = lower.mock.contexts.filter((text) => String(text) === UUID).length;
    expectProblem(response, 'request.invalid', [at]);
    expect(read).toBe(0);
  });
});
