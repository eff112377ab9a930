import { beforeAll, describe, expect } from '@jest/globals';
import { type Response, type Test } from 'supertest';
import { saveDocument, saveTag, upload } from '../factories/documents.js';
import { saveFile } from '../factories/files.js';
import { type Actor } from '../support/actor.js';
import { expectProblem } from '../support/expect-problem.js';
import { type TestTenant } from '../support/tenant.js';
import {
  RaceFixture,
  expectOneSuccess,
  expectSuccessOr,
  idOf,
  isSuccess,
  orderOf,
  times,
} from './support/race-fixture.js';

describe('Concurrent changes of files and tags', () => {
  const fixture = new RaceFixture(3);
  let tenant: TestTenant;
  let people: Actor[];
  beforeAll(() => {
    ({ tenant, people } = fixture);
  });

  const documentsIn = async (fileId: string) => {
    const rows = await fixture.service.query<{ id: string }>(
      'SELECT document_id AS id FROM document_files WHERE tenant_id = $1 AND file_id = $2 ORDER BY 1',
      [tenant.id, fileId],
    );
    return rows.map(({ id }) => id);
  };
  const isClosed = async (fileId: string) =>
    ((await people[0]!.get(`/files/${fileId}`)).body as { status: string }).status === 'Closed';
  const wasDone = ({ body }: Response) =>
    (body as { results: { outcome: string }[] }).results[0]?.outcome === 'Done';

  fixture.race(
    'that close a file, and documents filed into it: one after the other',
    async ({ random, writers, anyone, concurrently }) => {
      const owner = people[0]!;
      const { id: fileId } = await saveFile(tenant, owner);
      const inside = await saveDocument(tenant, owner, { fileIds: [fileId] });
      const documents: { id: string }[] = [];
      for (let n = 1; n < writers; n += 1) documents.push(await saveDocument(tenant, owner));
      const ways: [string, (id: string) => Test][] = [
        ['filed', (id) => anyone().put(`/documents/${id}/files/${fileId}`)],
        ['created', () => anyone().post('/documents', { title: 'Neu', fileIds: [fileId] })],
        [
          'bulk',
          (id) => anyone().post('/documents/bulk', { action: 'File', documentIds: [id], fileIds: [fileId] }),
        ],
        ['unfiled', () => anyone().delete(`/documents/${inside.id}/files/${fileId}`)],
      ];
      const sent = documents.map((_, n) => (n === 0 ? ways[0]! : random.pick(ways)));
      const [closed, ...answers] = await concurrently([
        anyone().post(`/files/${fileId}/close`),
        ...sent.map(([, send], n) => send(documents[n]!.id)),
      ]);
      expect(closed.status).toBe(200);
      const expected = [`FileClosed ${fileId}`];
      const filed = new Set([inside.id]);
      let late = 0;
      for (const [n, answer] of answers.entries()) {
        const [way] = sent[n]!;
        const isRefused = way === 'bulk' ? !wasDone(answer) : !isSuccess(answer);
        if (isRefused) {
          // A second request to unfile gets a 404 in any case.
          if (way === 'unfiled') expectSuccessOr([answer], 'file.closed', 'resource.not-found');
          else if (way === 'bulk') expect(answer.text).toContain('/problems/file.closed');
          else expectProblem(answer, 'file.closed');
          late += 1;
          continue;
        }
        const id = way === 'created' ? idOf(answer) : way === 'unfiled' ? inside.id : documents[n]!.id;
        if (way === 'unfiled') filed.delete(id);
        else filed.add(id);
        if (way === 'created') expected.push(`DocumentCreated ${id}`);
        expected.push(way === 'unfiled' ? `DocumentUnfiled ${id}` : `DocumentFiled ${id}`);
      }
      expect(await fixture.takeAuditLines()).toEqual(expected.sort());
      expect(await documentsIn(fileId)).toEqual([...filed].sort());
      expectProblem(await anyone().put(`/documents/${documents[0]!.id}/files/${fileId}`), 'file.closed');
      return late === 0 ? 'closed last' : late === answers.length ? 'closed first' : 'in between';
    },
  );

  fixture.race('that close a file, and uploads into it: only one of both succeeds', async (round) => {
    const { writers, concurrently, anyone, number } = round;
    const { id: fileId } = await saveFile(tenant, people[0]!);
    const [closed, ...uploads] = await concurrently([
      anyone().post(`/files/${fileId}/close`),
      ...times(writers - 1, (n) =>
        upload(anyone(), { title: 'Scan', fileIds: [fileId] }, { bytes: `${number} ${n}` }),
      ),
    ]);
    // An uploaded document is in Processing, and then the file cannot be closed.
    const entries = await fixture.takeAuditLines();
    if (isSuccess(closed)) {
      for (const answer of uploads) expectProblem(answer, 'file.closed');
      expect(entries).toEqual([`FileClosed ${fileId}`]);
      expect(await documentsIn(fileId)).toEqual([]);
      return 'closed';
    }
    expectProblem(closed, 'file.documents-processing');
    expect(uploads.map(({ status }) => status)).toEqual(uploads.map(() => 201));
    const ids = uploads.map(idOf).sort();
    expect(entries).toEqual(ids.flatMap((id) => [`DocumentCreated ${id}`, `DocumentFiled ${id}`]).sort());
    expect(await documentsIn(fileId)).toEqual(ids);
    expect(await isClosed(fileId)).toBe(false);
    return 'uploaded';
  });

  fixture.race(
    'that close a file and change its documents: one after the other',
    async ({ random, writers, concurrently, anyone, number }) => {
      const owner = people[0]!;
      const tag = await saveTag(tenant);
      const { id: fileId } = await saveFile(tenant, owner);
      const documents: { id: string }[] = [];
      for (let n = 1; n < writers; n += 1)
        documents.push(await saveDocument(tenant, owner, { fileIds: [fileId] }));
      const ways: [string, (actor: Actor, id: string) => Test][] = [
        ['DocumentUpdated', (actor, id) => actor.put(`/documents/${id}`, { title: `Anders ${number}` })],
        ['DocumentTagged', (actor, id) => actor.put(`/documents/${id}/tags/${tag.id}`)],
        ['DocumentArchived', (actor, id) => actor.post(`/documents/${id}/archive`)],
        ['DocumentDeleted', (actor, id) => actor.delete(`/documents/${id}`)],
      ];
      const sent = documents.map(() => random.pick(ways));
      const [closed, ...answers] = await concurrently([
        anyone().post(`/files/${fileId}/close`),
        ...sent.map(([, send], n) => send(anyone(), documents[n]!.id)),
      ]);
      expect(closed.status).toBe(200);
      expectSuccessOr(answers, 'file.closed');
      expect(await fixture.takeAuditLines()).toEqual(
        [
          `FileClosed ${fileId}`,
          ...sent.flatMap(([action], n) => (isSuccess(answers[n]!) ? [`${action} ${documents[n]!.id}`] : [])),
        ].sort(),
      );
      return orderOf(answers, 'closed');
    },
  );

  fixture.race(
    'that delete a file and use it: only one of both succeeds',
    async ({ random, writers, anyone, concurrently }) => {
      const owner = people[0]!;
      const { id: fileId } = await saveFile(tenant, owner);
      const document = await saveDocument(tenant, owner);
      const ways: [string, () => Test][] = [
        ['DocumentFiled', () => anyone().put(`/documents/${document.id}/files/${fileId}`)],
        ['DocumentCreated', () => anyone().post('/documents', { title: 'Neu', fileIds: [fileId] })],
        ['FileClosed', () => anyone().post(`/files/${fileId}/close`)],
      ];
      const sent = times(writers - 1, () => random.pick(ways));
      const [deleted, ...answers] = await concurrently([
        anyone().delete(`/files/${fileId}`),
        ...sent.map(([, send]) => send()),
      ]);
      const entries = await fixture.takeAuditLines();
      if (isSuccess(deleted)) {
        for (const answer of answers) expectSuccessOr([answer], 'resource.not-found', 'request.invalid');
        expect(answers.filter(isSuccess)).toEqual([]);
        expect(entries).toEqual([`FileDeleted ${fileId}`]);
        return 'deleted';
      }
      expectProblem(deleted, 'file.not-empty');
      expectSuccessOr(answers, 'file.closed', 'file.already-closed');
      expect(answers.filter(isSuccess).length).toBeGreaterThan(0);
      const created = answers
        .filter((answer, n) => isSuccess(answer) && sent[n]![0] === 'DocumentCreated')
        .map(idOf);
      const filed = answers.some((answer, n) => isSuccess(answer) && sent[n]![0] === 'DocumentFiled');
      const closed = answers.some((answer, n) => isSuccess(answer) && sent[n]![0] === 'FileClosed');
      const inside = [...created, ...(filed ? [document.id] : [])];
      expect(await documentsIn(fileId)).toEqual(inside.sort());
      expect(entries).toEqual(
        [
          ...created.map((id) => `DocumentCreated ${id}`),
          ...inside.map((id) => `DocumentFiled ${id}`),
          ...(closed ? [`FileClosed ${fileId}`] : []),
        ].sort(),
      );
      return 'used';
    },
  );

  fixture.race(
    'that delete a tag and assign it: one after the other',
    async ({ random, writers, anyone, concurrently }) => {
      const owner = people[0]!;
      const { id: tagId } = await saveTag(tenant);
      const documents: { id: string }[] = [];
      for (let n = 1; n < writers; n += 1) documents.push(await saveDocument(tenant, owner));
      const ways: [string, (id: string) => Test][] = [
        ['one', (id) => anyone().put(`/documents/${id}/tags/${tagId}`)],
        [
          'bulk',
          (id) => anyone().post('/documents/bulk', { action: 'Tag', documentIds: [id], tagIds: [tagId] }),
        ],
        ['created', () => anyone().post('/documents', { title: 'Neu', tagIds: [tagId] })],
      ];
      const sent = documents.map(() => random.pick(ways));
      const [deleted, ...answers] = await concurrently([
        anyone().delete(`/tags/${tagId}`),
        ...sent.map(([, send], n) => send(documents[n]!.id)),
      ]);
      expect(deleted.status).toBe(204);
      expectSuccessOr(answers, 'resource.not-found', 'request.invalid');
      const expected = [`TagDeleted ${tagId}`];
      for (const [n, answer] of answers.entries()) {
        if (!isSuccess(answer)) continue;
        const isCreated = sent[n]![0] === 'created';
        const id = isCreated ? idOf(answer) : documents[n]!.id;
        if (isCreated) expected.push(`DocumentCreated ${id}`);
        expected.push(`DocumentTagged ${id}`);
      }
      expect(await fixture.takeAuditLines()).toEqual(expected.sort());
      expect((await fixture.ids('document_tags', 'tag_id')).has(tagId)).toBe(false);
      return orderOf(answers, 'deleted');
    },
  );

  fixture.race('that file or tag one document, or undo that: one audit entry each', async (round) => {
    const { random, writers, anyone, concurrently } = round;
    const owner = people[0]!;
    const { id: fileId } = await saveFile(tenant, owner);
    const { id: tagId } = await saveTag(tenant);
    const { id } = await saveDocument(tenant, owner);
    const [path, into, outOf] =
      random.next() < 0.5
        ? [`/documents/${id}/files/${fileId}`, 'DocumentFiled', 'DocumentUnfiled']
        : [`/documents/${id}/tags/${tagId}`, 'DocumentTagged', 'DocumentUntagged'];
    const put = await concurrently(times(writers, () => anyone().put(path)));
    expect(put.map(({ status }) => status)).toEqual(put.map(() => 204));
    expect(await fixture.takeAuditLines()).toEqual([`${into} ${id}`]);
    const taken = await concurrently(times(writers, () => anyone().delete(path)));
    expectOneSuccess(taken, 'resource.not-found');
    expect(await fixture.takeAuditLines()).toEqual([`${outOf} ${id}`]);
    return 'once';
  });
});
