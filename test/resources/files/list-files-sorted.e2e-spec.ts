import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../factories/access-grants.js';
import { saveDocument } from '../../factories/documents.js';
import { saveFile, saveFileType } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { type PageBody, readAll } from '../../support/operations/paged-list.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

const numbersOf = (files: PageBody['items']) =>
  files.map((file) => (file as unknown as { number: string }).number);

describe('ListFiles, sorted, of a time, with counts', () => {
  let tenant: TestTenant;
  let editor: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor');
  });

  const list = async (query = '', actor = editor): Promise<PageBody> => {
    const response = await actor.get(`/files${query}`);
    expect(response.status).toBe(200);
    return response.body as PageBody;
  };
  const idsOf = ({ items }: PageBody) => items.map(({ id }) => id);

  it('returns 200 in the order of `sort`, page by page', async () => {
    const { id: fileTypeId } = await saveFileType(tenant);
    const save = async (number: string, name: string, day: number, closedAt: string | null = null) => {
      const createdAt = `2026-03-0${day}T12:00:00.000Z`;
      const status = closedAt ? 'Closed' : 'Open';
      const { id } = await saveFile(tenant, editor, { fileTypeId, number, name, createdAt, status });
      await service.query(
        'UPDATE files SET updated_at = $3, closed_at = $4 WHERE tenant_id = $1 AND id = $2',
        [tenant.id, id, `2026-04-0${9 - day}T12:00:00.000Z`, closedAt],
      );
    };
    await save('AZ-10', 'Zaun', 1, '2026-05-02T12:00:00.000Z');
    await save('AZ-9', 'ärger', 2);
    await save('AZ-9/2', 'Bau', 3, '2026-05-01T12:00:00.000Z');
    await save('AZ-9/10', 'bau', 4);
    await save('BZ-1', 'Bau', 5, '2026-05-02T12:00:00.000Z');
    const numbersBy = async (sort: string) => {
      const orders = [2, 200].map(async (limit) =>
        numbersOf(await readAll(editor, `/files?sort=${sort}`, limit)),
      );
      const [byTwo, all] = await Promise.all(orders);
      expect(byTwo).toEqual(all);
      return all;
    };
    expect(await numbersBy('number')).toEqual(['AZ-9', 'AZ-9/2', 'AZ-9/10', 'AZ-10', 'BZ-1']);
    expect(await numbersBy('-number')).toEqual(['BZ-1', 'AZ-10', 'AZ-9/10', 'AZ-9/2', 'AZ-9']);
    expect(await numbersBy('createdAt')).toEqual(['AZ-10', 'AZ-9', 'AZ-9/2', 'AZ-9/10', 'BZ-1']);
    expect(await numbersBy('-updatedAt')).toEqual(['AZ-10', 'AZ-9', 'AZ-9/2', 'AZ-9/10', 'BZ-1']);
    expect(await numbersBy('updatedAt')).toEqual(['BZ-1', 'AZ-9/10', 'AZ-9/2', 'AZ-9', 'AZ-10']);
    expect(await numbersBy('name')).toEqual(['AZ-9', 'AZ-9/10', 'AZ-9/2', 'BZ-1', 'AZ-10']);
    expect(await numbersBy('-name')).toEqual(['AZ-10', 'BZ-1', 'AZ-9/2', 'AZ-9/10', 'AZ-9']);
    // Open files come last, newest first, in both directions.
    expect(await numbersBy('closedAt')).toEqual(['AZ-9/2', 'AZ-10', 'BZ-1', 'AZ-9/10', 'AZ-9']);
    expect(await numbersBy('-closedAt')).toEqual(['BZ-1', 'AZ-10', 'AZ-9/2', 'AZ-9/10', 'AZ-9']);
    expect(await numbersBy('closedAt&status=Closed')).toEqual(['AZ-9/2', 'AZ-10', 'BZ-1']);
    expect(await numbersBy('closedAt&status=Open&q=az')).toEqual(['AZ-9/10', 'AZ-9']);
    const guest = await tenant.as('guest');
    await saveAccessGrant(tenant, guest, { fileType: fileTypeId });
    const seen = await readAll(guest, '/files?sort=number', 2);
    expect(numbersOf(seen)).toEqual(['AZ-9', 'AZ-9/2', 'AZ-9/10', 'AZ-10', 'BZ-1']);
  });

  it('returns 200 in the order of the numbers in file numbers, with any cursor', async () => {
    const ordered = ['9', '10', '2026-9', '2026-9a', '2026-10', 'a-9', 'A-10', 'AZ9', 'AZ10', 'B2'];
    for (const number of ordered.toReversed()) await saveFile(tenant, editor, { number });
    for (const limit of [1, 3, 200]) {
      expect(numbersOf(await readAll(editor, '/files?sort=number', limit))).toEqual(ordered);
      expect(numbersOf(await readAll(editor, '/files?sort=-number', limit))).toEqual(ordered.toReversed());
    }
  });

  it('returns 200 with the files created or closed in a time', async () => {
    const save = async (createdAt: string, closedAt: string | null) => {
      const { id } = await saveFile(tenant, editor, { createdAt, status: closedAt ? 'Closed' : 'Open' });
      await service.query('UPDATE files SET closed_at = $3 WHERE tenant_id = $1 AND id = $2', [
        ...[tenant.id, id, closedAt],
      ]);
      return id;
    };
    const first = await save('2026-03-01T00:00:00.000Z', '2026-06-01T00:00:00.000Z');
    const second = await save('2026-03-02T00:00:00.000Z', '2026-05-01T00:00:00.000Z');
    const open = await save('2026-03-03T00:00:00.000Z', null);
    const of = async (query: string) => idsOf(await list(`?${query}`));
    expect(await of('createdFrom=2026-03-02T00:00:00Z')).toEqual([open, second]);
    expect(await of('createdTo=2026-03-02T00:00:00Z')).toEqual([first]);
    expect(await of('createdFrom=2026-03-01T00:00:00Z&createdTo=2026-03-03T00:00:00Z')).toEqual([
      second,
      first,
    ]);
    expect(await of('closedFrom=2026-05-01T00:00:00Z')).toEqual([second, first]);
    expect(await of('closedTo=2026-06-01T00:00:00Z&sort=closedAt')).toEqual([second]);
    const response = await editor.get('/files?closedFrom=2026-06-01T00:00:00Z&closedTo=2026-05-01T00:00:00Z');
    expectProblem(response, 'request.invalid', ['closedTo']);
  });

  it('returns 200 with the number of documents that the caller sees', async () => {
    const file = await saveFile(tenant, editor);
    const empty = await saveFile(tenant, editor);
    const inFile = { fileIds: [file.id] };
    await saveDocument(tenant, editor, inFile);
    await saveDocument(tenant, editor, { ...inFile, status: 'Deleted' });
    await saveDocument(tenant, editor, { ...inFile, confidentialTo: [editor] });
    const counts = async (actor: Actor) =>
      Object.fromEntries(
        (await list('?include=counts', actor)).items.map((file) => [
          file.id,
          (file as { documentCount?: number }).documentCount,
        ]),
      );
    expect(await counts(editor)).toEqual({ [file.id]: 2, [empty.id]: 0 });
    expect(await counts(await tenant.as('viewer'))).toEqual({ [file.id]: 1, [empty.id]: 0 });
    expect(await counts(await tenant.with('files.read'))).toEqual({ [file.id]: 0, [empty.id]: 0 });
    expect((await list()).items[0]).not.toHaveProperty('documentCount');
  });
});
