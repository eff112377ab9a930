import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { SearchSharesReader } from '../../../../src/resources/documents/search/search-shares.reader.js';
import { buildField, saveDocumentType } from '../../../factories/document-types.js';
import { createDocument } from '../../../factories/document-values.js';
import { type Actor } from '../../../support/actor.js';
import { service } from '../../../support/service/shared-service.js';
import { searchDocumentIds } from './search-document-ids.js';

/** In a tenant of its own. */
interface Filed {
  readonly editor: Actor;
  readonly documentId: string;
}

describe('SearchDocuments', () => {
  let tenants: Filed[];
  beforeEach(async () => {
    jest.spyOn(service.app.get(SearchSharesReader), 'areMost').mockReturnValue(true);
    tenants = [await file(), await file()];
  });
  afterEach(() => void jest.restoreAllMocks());

  async function file(): Promise<Filed> {
    const tenant = await service.tenant();
    const editor = await tenant.as('editor');
    const { id } = await saveDocumentType(tenant, { fields: [buildField('subject')] });
    const document = await createDocument(editor, id, { subject: 'Radweg am Kanal' }, { title: 'Bescheid' });
    return { editor, documentId: document.id };
  }

  const contains = { fieldKey: 'subject', operator: 'Contains', value: 'weg am' };
  it.each<[string, object]>([
    ['a word', { q: 'radweg ' }],
    ['a phrase', { q: '"radweg am kanal"' }],
    ['a part of a text', { filter: { metadataConditions: [contains] } }],
    ['words and a part of a text', { q: 'bescheid ', filter: { metadataConditions: [contains] } }],
  ])('returns 200 with documents of the tenant only, if it has most of the texts: %s', async (_, search) => {
    for (const { editor, documentId } of tenants)
      expect(await searchDocumentIds(editor, search, 10)).toEqual([documentId]);
  });
});
