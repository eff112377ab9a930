import { beforeEach, describe, expect, it } from '@jest/globals';
import { DisposalExecution } from '../../../src/resources/disposals/disposal-execution.js';
import { saveDocument, saveVersion } from '../../factories/documents.js';
import { expectProblem } from '../../support/expect-problem.js';
import { service } from '../../support/service/shared-service.js';
import { DisposalScene } from './support/disposal-scene.js';
import { onlyForReaders } from './support/only-for-readers.js';

describe('GetDisposalCertificate', () => {
  let scene: DisposalScene;
  let id: string;
  beforeEach(async () => {
    scene = await DisposalScene.create(service);
    id = await scene.save({ status: 'Completed' });
  });

  onlyForReaders({
    tenant: () => scene.tenant,
    send: (actor) => actor.get(`/disposals/${id}/certificate`),
  });

  /** A completed disposal of a destroyed, a kept and a held file. */
  async function completed(): Promise<void> {
    const [destroyed, kept, held] = [await scene.dueFile(5), await scene.dueFile(4), await scene.dueFile(3)];
    const secret = await saveDocument(scene.tenant, scene.maker, {
      fileIds: [destroyed],
      confidentialTo: [scene.approver],
    });
    await saveVersion(scene.tenant, scene.maker, secret.id, { bytes: '12345' });
    const body = { name: '<Bauakten> & mehr', fileTypeId: scene.fileTypeId, dueBefore: '2026-01-01' };
    id = ((await scene.maker.post('/disposals', body)).body as { id: string }).id;
    await scene.maker
      .put(`/disposals/${id}/files/${kept}`, { decision: 'Keep', keepUntil: '2099-12-31' })
      .expect(204);
    await scene.maker.post(`/disposals/${id}/submit`).expect(200);
    await scene.approver.post(`/disposals/${id}/approve`).expect(200);
    const { id: holdId } = (await scene.maker.post('/holds', { name: 'Streit', reason: 'x' })).body as {
      id: string;
    };
    await scene.maker.put(`/holds/${holdId}/files/${held}`).expect(204);
    await service.app.get(DisposalExecution).execute(scene.tenant.id, id);
  }

  it('returns 200 with what was destroyed, by whom, and under which rule', async () => {
    await completed();
    const response = await scene.maker.get(`/disposals/${id}/certificate`).expect(200);
    const day = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
    const line = { number: expect.any(String), closedOn: day, dueOn: day, reference: null };
    expect(response.body).toEqual({
      disposal: (await scene.maker.get(`/disposals/${id}`)).body as object,
      fileTypeKey: expect.any(String),
      fileTypeName: expect.stringMatching(/^Type/),
      ...{ createdByName: 'Rita', submittedByName: 'Rita', approvedByName: 'Alice' },
      ...{ destroyedFiles: 1, destroyedDocuments: 1, destroyedBytes: 5 },
      files: [
        {
          ...line,
          ...{ decision: 'Destroy', keepUntil: null, outcome: 'Destroyed', skippedBecause: null },
          ...{ disposedOn: day, documentCount: 1, documentBytes: 5 },
        },
        {
          ...line,
          ...{ decision: 'Keep', keepUntil: '2099-12-31', outcome: 'Kept', skippedBecause: null },
          ...{ disposedOn: null, documentCount: 0, documentBytes: 0 },
        },
        {
          ...line,
          ...{ decision: 'Destroy', keepUntil: null, outcome: 'Skipped', skippedBecause: 'Held' },
          ...{ disposedOn: null, documentCount: 0, documentBytes: 0 },
        },
      ],
      notice: expect.stringContaining('Backups'),
    });
    expect(response.text).not.toContain('Streit');
  });

  it('returns 200 with a page to print, by Accept, in the language of the reader', async () => {
    await completed();
    const response = await scene.maker
      .get(`/disposals/${id}/certificate`)
      .set('Accept', 'text/html')
      .set('Accept-Language', 'de');
    expect([response.status, response.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(response.headers['content-security-policy']).toContain("default-src 'none'");
    expect(response.headers.vary).toMatch(/\bAccept\b.*Accept-Language/);
    for (const text of [
      '<html lang="de">',
      '&lt;Bauakten&gt; &amp; mehr',
      'Sicherungen',
      'Alice',
      'Löschsperre',
      ' nach dem Tag der Schließung, dann vernichten (seit ',
    ])
      expect(response.text).toContain(text);
    expect(response.text).not.toContain('<Bauakten>');
  });

  it.each(['Draft', 'Submitted', 'Approved'] as const)('returns 409 for the status %s', async (status) => {
    id = await scene.save({ status });
    expectProblem(await scene.maker.get(`/disposals/${id}/certificate`), 'disposal.not-completed');
  });
});
