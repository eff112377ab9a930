import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ALL_PERMISSIONS } from '../../../src/common/vocabulary/permissions.js';
import { DisposalExecution } from '../../../src/resources/disposals/disposal-execution.js';
import { LexiconUpdates } from '../../../src/resources/documents/words/lexicon-updates.js';
import { saveFile } from '../../factories/files.js';
import { saveNumbering } from '../../factories/numberings.js';
import { saveView } from '../../factories/saved-views.js';
import { createCrossTenantUsers, populateTenant } from '../../security/support/populated-tenant.js';
import { type Actor } from '../../support/actor.js';
import { RawStream, whileTicking } from '../../support/event-stream.js';
import { expectProblem } from '../../support/expect-problem.js';
import { WebhookReceiver } from '../../support/servers/webhook-receiver.js';
import { treeComplete } from '../audit-log/evidence/evidence-fixture.js';
import { createExport, finished, packageOf } from '../exports/support/packages.js';
import { MailFixture } from '../notification-preferences/mail-fixture.js';
import { deliver, deliveriesOf, makeRetriesDue } from '../webhooks/delivery/deliveries.js';
import { type Reading, readEverything } from './support/every-reading.js';
import { type RecordWithSecrets, createRecord } from './support/record-with-secrets.js';
import { SECRETS, secretsIn } from './support/secrets.js';

/** What may show the number of a destroyed file (docs/adr/0052). */
const SHOW_NUMBERS = ['ListDisposalFiles', 'GetDisposalCertificate'];
/** What shows texts of the file and its documents while they exist. */
const SHOWN_BEFORE = [
  ...[
    'ExportAuditLog',
    'GetAccessGrant',
    'GetAuditProof',
    'GetDocument',
    'GetDocumentContent',
    'GetDocumentPreview',
  ],
  ...['GetDocumentText', 'GetDocumentVersionContent', 'GetExportContent', 'GetFile', 'ListAccessGrants'],
  ...['ListAuditEntries', 'ListDisposalFiles', 'ListDocumentVersions', 'ListDocuments', 'ListFileDocuments'],
  ...['ListFiles', 'ListHoldItems', 'ListNotifications', 'ListSuggestions', 'SearchDocuments'],
];
/** What shows names of tags. */
const SHOW_TAGS = ['ListTags', 'GetTag', 'ListSuggestions'];

const SUBJECT_TAG = /subjectType\\?":\\?"Tag\b/;

/** Operations and words that an answer must not have after the disposal. */
function leaksIn(readings: readonly Reading[]): string[] {
  return readings.flatMap((reading) => {
    const { operation, path, items } = reading;
    // Entries about tags themselves, also as the text of a leaf.
    const ofTags = items.map((item) => JSON.stringify(item)).filter((item) => SUBJECT_TAG.test(item));
    const text = ofTags.reduce((rest, item) => rest.replace(item, ''), reading.text);
    return secretsIn(text).flatMap((secret) => {
      const isAllowed =
        (secret === 'number' && SHOW_NUMBERS.includes(operation)) ||
        (secret === 'tag' && SHOW_TAGS.includes(operation));
      return isAllowed ? [] : [`${operation} ${path}: ${secret}`];
    });
  });
}

describe('A completed disposal', () => {
  let mail: MailFixture;
  let receiver: WebhookReceiver;
  let actor: Actor;
  let approver: Actor;
  let record: RecordWithSecrets;
  let ids: Record<string, readonly string[]>;
  let before: Reading[];
  let events: RawStream;
  let notifications: RawStream;
  let webhookId: string;
  let disposalId: string;
  /** Ids of exports that were packed before the disposal, and of exports that are packed afterwards. */
  const exports = { ready: '', readyWithAll: '', pending: '', pendingWithAll: '' };

  const idOf = ({ body }: { body: unknown }) => (body as { id: string }).id;
  const execute = () => mail.service.app.get(DisposalExecution).execute(actor.tenant.id, disposalId);

  beforeAll(async () => {
    [mail, receiver] = [await MailFixture.start(), await WebhookReceiver.start()];
    const { service } = mail;
    const users = await createCrossTenantUsers(service);
    mail.tenant = await service.tenant();
    const { identifiers } = await populateTenant(mail.tenant, users);
    actor = await mail.tenant.with(...ALL_PERMISSIONS);
    approver = await mail.tenant.with(...ALL_PERMISSIONS);
    const staying = await saveFile(mail.tenant, actor, { name: 'Stays' });

    // The receivers of other webhooks do not exist.
    await mail.tenant.query(
      `UPDATE webhooks SET status = 'Disabled', disabled_reason = 'Manual' WHERE tenant_id = $1`,
    );
    webhookId = idOf(await actor.post('/webhooks', { url: receiver.url }).expect(201));
    await saveNumbering(mail.tenant, identifiers.fileType!, 'AZ-{seq:3}');
    record = await createRecord(actor, staying.id);
    exports.ready = (await createExport(actor, { fileIds: [record.fileId] })).id;
    exports.readyWithAll = (await createExport(actor, { all: true })).id;
    receiver.answerWith(500);
    await deliver(mail.tenant);
    receiver.answerWith(204);

    // Notifications about what is destroyed, and about what stays: their mail is queued.
    const preferences = { DocumentFiled: 'immediate', DocumentUnfiled: 'daily', FileClosed: 'daily' };
    await mail.prefer(preferences, 'en', actor);
    const { fileId, documentId } = record;
    await approver.put(`/documents/${documentId}/files/${staying.id}`).expect(204);
    await approver.delete(`/documents/${documentId}/files/${staying.id}`).expect(204);
    await approver.delete(`/documents/${record.stayingId}/files/${staying.id}`).expect(204);
    await approver.put(`/documents/${record.stayingId}/files/${staying.id}`).expect(204);
    for (const id of [fileId, staying.id]) await approver.post(`/files/${id}/close`).expect(200);
    await mail.tenant.query(
      `UPDATE files SET closed_at = '2020-01-01' WHERE tenant_id = $1 AND id = $2`,
      fileId,
    );
    exports.pending = idOf(await actor.post('/exports', { name: 'E', fileIds: [fileId] }).expect(202));
    exports.pendingWithAll = idOf(await actor.post('/exports', { name: 'E', all: true }).expect(202));

    const due = { name: 'Disposal', fileTypeId: record.fileTypeId, dueBefore: '2025-01-01' };
    disposalId = idOf(await actor.post('/disposals', due).expect(201));
    await actor.post(`/disposals/${disposalId}/submit`).expect(200);
    await approver.post(`/disposals/${disposalId}/approve`).expect(200);

    await service.app.get(LexiconUpdates).update(mail.tenant.id);
    await treeComplete(mail.tenant);
    const entries = await mail.tenant.query<{ id: string }>(
      `SELECT id FROM audit_entries WHERE tenant_id = $1 AND (subject_id = ANY ($2::uuid[]) OR related->>'fileId' = $3)`,
      [fileId, documentId, record.confidentialId],
      fileId,
    );
    const own = Object.entries(identifiers).map(([name, id]) => [name, [id]] as const);
    ids = {
      ...Object.fromEntries(own),
      file: [identifiers.file!, fileId, staying.id],
      document: [identifiers.document!, documentId, record.confidentialId, record.stayingId],
      confidentialDocument: [identifiers.confidentialDocument!, record.confidentialId],
      tag: [identifiers.tag!, record.tagId],
      grant: [identifiers.grant!, record.grantId],
      hold: [identifiers.hold!, record.releasedHoldId],
      export: [identifiers.export!, ...Object.values(exports)],
      disposal: [identifiers.disposal!, disposalId],
      completedDisposal: [identifiers.completedDisposal!, disposalId],
      auditEntry: [identifiers.auditEntry!, ...entries.map(({ id }) => id)],
      webhook: [webhookId],
      savedView: [(await saveView(mail.tenant, actor, { filter: { fileId } })).id],
    };
    before = await readEverything(actor, ids);

    [events, notifications] = [
      await RawStream.open(actor, '/events/stream', { headers: { 'Last-Event-ID': '0' } }),
      await RawStream.open(actor, '/notifications/stream'),
    ];
    receiver.requests.length = 0;
    await execute();
    for (const stream of [events, notifications])
      await whileTicking(service, stream.waitForText(/DisposalCompleted/));
    expect((await actor.get(`/disposals/${disposalId}`)).body).toMatchObject({ status: 'Completed' });
  });
  afterAll(async () => {
    for (const stream of [events, notifications]) stream?.close();
    await receiver?.stop();
    await mail?.stop();
  });

  it('was read by every GET operation before, which shows that the test can fail', () => {
    const failed = new Set(before.map(({ operation }) => operation));
    for (const { operation, status } of before) if (status === 200) failed.delete(operation);
    const shown = new Set(leaksIn(before).map((leak) => leak.split(' ')[0]));
    expect([...failed]).toEqual([]);
    expect([...shown].sort()).toEqual(SHOWN_BEFORE);
  });

  it('leaves no text of what is gone in any answer', async () => {
    expect(leaksIn(await readEverything(actor, ids))).toEqual([]);
  });

  it('leaves no stored answer to a repeated request', async () => {
    const file = { fileTypeId: record.fileTypeId, number: SECRETS.number, name: SECRETS.formerName };
    const repeated = await actor.post('/files', file).set('Idempotency-Key', 'secret');
    expectProblem(repeated, 'file.number-taken');
    expect(secretsIn(repeated.text)).toEqual([]);
  });

  it('leaves no text in the streams', async () => {
    const replay = await RawStream.open(actor, '/events/stream', { headers: { 'Last-Event-ID': '0' } });
    await whileTicking(mail.service, replay.waitForText(/DisposalCompleted/));
    replay.close();
    expect([events, notifications, replay].map(({ text }) => secretsIn(text))).toEqual([[], [], []]);
  });

  it('leaves no text in deliveries to webhooks that are sent later', async () => {
    const states = (await deliveriesOf(mail.tenant, webhookId)).map(({ status }) => status);
    expect(states.filter((status) => status === 'Pending').length).toBeGreaterThan(5);
    await makeRetriesDue(mail.tenant);
    await deliver(mail.tenant);
    const types = receiver.payloads.map(({ type }) => type);
    expect(types).toEqual(expect.arrayContaining(['FileCreated', 'DocumentFiled', 'FileDisposed']));
    expect(receiver.requests.flatMap(({ body, path }) => secretsIn(`${path} ${body}`))).toEqual([]);
  });

  it('leaves no text in mail and exports that were queued', async () => {
    const modes = new Set((await mail.pendingMails()).map(({ mode }) => mode));
    expect([...modes].sort()).toEqual(['daily', 'immediate']);
    for (let day = 0; day < 2; day += 1) {
      await mail.pass('1 day');
      await mail.runAll();
    }
    expect(mail.received.map(({ headers }) => headers.get('to'))).toEqual([actor.email, actor.email]);
    expect(mail.received.every(({ text }) => text.includes('Stays'))).toBe(true);
    expect(
      mail.received.flatMap(({ headers, text, html, raw }) =>
        secretsIn([...headers.values(), text, html, raw.toString()].join(' ')),
      ),
    ).toEqual([]);

    for (const id of [exports.ready, exports.readyWithAll])
      expectProblem(await actor.get(`/exports/${id}/content`), 'export.not-ready');
    for (const id of [exports.pending, exports.pendingWithAll]) {
      expect((await finished(actor, id)).status).toBe('Ready');
      const files = await packageOf(actor, id);
      expect(files.has('bagit.txt')).toBe(true);
      for (const [path, bytes] of files)
        expect([path, secretsIn(path + bytes.toString())]).toEqual([path, []]);
    }
  });
});
