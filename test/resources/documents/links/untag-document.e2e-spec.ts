import { describe, expect, it } from '@jest/globals';
import { saveTag } from '../../../factories/documents.js';
import { expectRefused } from '../../../support/expect-refused.js';
import { taggingCases } from './tagging-cases.js';

describe('UntagDocument', () => {
  const { fixture, make, send, tagsOf } = taggingCases('delete');

  it('returns 204 to exactly one of several concurrent requests, 404 to the others', async () => {
    const responses = await Promise.all([1, 2, 3, 4].map(() => send()));
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404]);
    expect(await fixture.tenant.audit()).toHaveLength(1);
  });

  it('returns 404 when the document does not have the tag, even if it is Archived', async () => {
    const { tenant, editor, document, tag } = fixture;
    const other = await saveTag(tenant);
    await expectRefused(tenant, send(editor, document.id, other.id), 'resource.not-found');
    const archived = await make({ status: 'Archived', tagIds: [] });
    await expectRefused(tenant, send(editor, archived.id), 'resource.not-found');
    expect(await tagsOf()).toEqual([tag.id]);
  });
});
