import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { addToList, saveDocument } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { setMemberRole } from '../../factories/roles.js';
import { MailFixture } from './mail-fixture.js';

describe('The recipient of notification mail', () => {
  let mail: MailFixture;
  beforeAll(async () => {
    mail = await MailFixture.start();
  });
  afterAll(() => mail.stop());
  beforeEach(() => mail.reset());

  it('gets nothing about a file that is invisible when the mail is sent', async () => {
    await mail.prefer({ FileClosed: 'immediate', RoleChanged: 'immediate' });
    await mail.closeFile();
    const roleId = await mail.tenant.roleId('guest');
    await mail.admin.put(`/members/${mail.reader.userId}`, { roleId }).expect(200);
    await mail.runDue();
    expect(mail.lines()).toEqual([['- Ada Admin assigned you the role “Guest”.']]);
    expect(await mail.pendingMails()).toEqual([]);
  });

  it('gets nothing of a document that is confidential to others when the mail is sent', async () => {
    await mail.prefer({ DocumentFiled: 'immediate' });
    const file = await saveFile(mail.tenant, mail.admin);
    for (const title of ['Open letter', 'Secret letter']) {
      const { id } = await saveDocument(mail.tenant, mail.reader, { title });
      await mail.admin.put(`/documents/${id}/files/${file.id}`).expect(204);
      if (title === 'Open letter') continue;
      await addToList(mail.tenant, id, mail.admin);
      await mail.service.query('UPDATE documents SET is_confidential = true WHERE id = $1', [id]);
    }
    await mail.runDue();
    expect(mail.lines().map((lines) => lines.length)).toEqual([1]);
    expect(mail.received[0]?.text).toContain('Open letter');
    expect(mail.received[0]?.html).not.toContain('Secret');
    expect(mail.received[0]?.headers.get('subject')).not.toContain('2 new');
  });

  it('gets no mail if nothing is visible any more, and the next one at once', async () => {
    await mail.prefer({ FileClosed: 'immediate' });
    await mail.closeFile();
    await setMemberRole(mail.tenant, mail.reader, await mail.tenant.roleId('guest'));
    await mail.runDue();
    expect([mail.received, await mail.pendingMails()]).toEqual([[], []]);
    await setMemberRole(mail.tenant, mail.reader, await mail.tenant.roleId('viewer'));
    await mail.closeFile();
    await mail.runDue();
    expect(mail.received).toHaveLength(1);
  });

  it('gets no mail at an address that is not verified', async () => {
    await mail.prefer({ FileClosed: 'immediate' });
    await mail.closeFile();
    await mail.service.query('UPDATE users SET email_verified = false WHERE id = $1', [mail.reader.userId]);
    await mail.runDue();
    expect([mail.received, await mail.pendingMails()]).toEqual([[], []]);
  });

  it('gets no mail of types that were turned off meanwhile', async () => {
    await mail.prefer({ FileClosed: 'immediate' });
    await mail.closeFile();
    await mail.prefer({ FileReopened: 'immediate' });
    await mail.runDue();
    expect([mail.received, await mail.pendingMails()]).toEqual([[], []]);
  });

  it('gets no mail after the membership has ended, also not after coming back', async () => {
    await mail.prefer({ FileClosed: 'immediate' });
    await mail.closeFile();
    await mail.admin.delete(`/members/${mail.reader.userId}`).expect(204);
    expect(await mail.pendingMails()).toEqual([]);
    await mail.runDue();
    await mail.tenant.addMember(mail.reader, 'editor');
    await mail.tenant.increaseAccessVersion();
    await mail.closeFile();
    await mail.runAll();
    expect([mail.received, await mail.pendingMails()]).toEqual([[], []]);
  });

  it('gets no mail for notifications that are older than the retention time', async () => {
    await mail.prefer({ FileClosed: 'immediate' });
    await mail.closeFile();
    await mail.tenant.query('DELETE FROM notifications WHERE tenant_id = $1');
    expect(await mail.pendingMails()).toEqual([]);
    await mail.runDue();
    expect(mail.received).toEqual([]);
  });
});
