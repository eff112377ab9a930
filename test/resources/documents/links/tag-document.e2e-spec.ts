import { describe, expect, it } from '@jest/globals';
import { saveTag } from '../../../factories/documents.js';
import { taggingCases } from './tagging-cases.js';

describe('TagDocument', () => {
  const { fixture, make, send, tagsOf } = taggingCases('put');

  it('returns 204 and writes nothing when repeated', async () => {
    const { tenant } = fixture;
    await send();
    const before = await tenant.fingerprint();
    expect((await send()).status).toBe(204);
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it('returns 204 to several concurrent requests, with one audit entry', async () => {
    const responses = await Promise.all([1, 2, 3, 4].map(() => send()));
    expect(responses.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
    expect(await fixture.tenant.audit()).toHaveLength(1);
  });

  it('returns 204 for a second tag', async () => {
    const { tenant, editor, document, tag } = fixture;
    const other = await saveTag(tenant);
    await send();
    await send(editor, document.id, other.id);
    expect(await tagsOf()).toEqual([tag.id, other.id]);
  });

  it('returns 204 for a document that is Processing', async () => {
    const { id } = await make({ status: 'Processing' });
    expect((await send(fixture.editor, id)).status).toBe(204);
  });
});
