import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { saveFile } from '../../factories/files.js';
import { MailFixture, PUBLIC_URL } from './mail-fixture.js';

const ZONE = 'Europe/Berlin';

describe('The content of notification mail', () => {
  let mail: MailFixture;
  beforeAll(async () => {
    mail = await MailFixture.start();
  });
  afterAll(() => mail.stop());
  beforeEach(() => mail.reset());

  it('is in the language of the member, as text and HTML, with the times of the time zone', async () => {
    await mail.prefer({ AccessGranted: 'immediate' }, 'de');
    const { id } = await saveFile(mail.tenant, mail.admin);
    const grant = { subjectType: 'User', subjectId: mail.reader.userId, level: 'Read' };
    await mail.admin.post('/access-grants', { ...grant, targetType: 'File', targetId: id }).expect(201);
    await mail.runDue();
    const [{ text, html, headers } = { text: '', html: '', headers: new Map<string, string>() }] =
      mail.received;
    const sentence = 'Ada Admin hat Lesezugriff auf eine Akte erteilt.';
    expect(text).toContain(`Neue Benachrichtigungen: Tenant ${mail.tenant.slug} (${ZONE})\n`);
    expect(text).toMatch(new RegExp(`\n- ${sentence}\n {2}\\d\\d\\.\\d\\d\\.\\d{4}, \\d\\d:\\d\\d\n`));
    expect(html).toContain('<html lang="de">');
    expect(html).toContain(`${sentence}<br>`);
    for (const part of [text, html]) expect(part).toContain(`${PUBLIC_URL}/unsubscribe/`);
    expect(headers.get('subject')).toBe(`Tenant ${mail.tenant.slug}: ${sentence}`);
    expect(headers.get('content-type')).toMatch(/^multipart\/alternative/);
    expect(headers.get('auto-submitted')).toBe('auto-generated');
    expect(headers.get('message-id')).toMatch(/^<[^@>]+@service\.example>$/);
    expect(Date.parse(headers.get('date') ?? '')).toBeGreaterThan(Date.now() - 3_600_000);
  });

  it('shows 50 notifications, and the number of the others', async () => {
    await mail.prefer({ FileClosed: 'immediate', FileReopened: 'immediate' });
    const id = await mail.closeFile();
    for (let n = 0; n < 26; n += 1) {
      await mail.reopenFile(id);
      await mail.admin.post(`/files/${id}/close`).expect(200);
    }
    await mail.runDue();
    const [first] = mail.received;
    expect(mail.lines().map((lines) => lines.length)).toEqual([50]);
    expect(first?.html.match(/<li/g)).toHaveLength(50);
    for (const part of [first?.text, first?.html]) expect(part).toContain('and 3 more');
    expect(first?.headers.get('subject')).toContain(': 53 new notifications');
  });

  it('cannot get header fields or markup from names', async () => {
    await mail.prefer({ FileClosed: 'immediate' });
    await mail.tenant.query(
      'UPDATE tenants SET name = $2 WHERE id = $1',
      'Amt\r\nBcc: all@people.example\r\n\r\n<b>',
    );
    await mail.closeFile();
    await mail.tenant.query(
      `UPDATE notifications SET parameters = parameters || $2 WHERE tenant_id = $1`,
      JSON.stringify({
        fileName: `x\r\nBcc: more@people.example\r\n.\r\n<img src=x onerror="1">&'{actorName}\u2028\u202e`,
      }),
    );
    await mail.runDue();
    const [found] = mail.received;
    expect(found?.to).toEqual([mail.reader.email]);
    expect(found?.headers.has('bcc')).toBe(false);
    expect(found?.headers.get('subject')).toMatch(/^Amt Bcc: all@people\.example <b>: Ada Admin closed/);
    expect(found?.text).toContain(`(x Bcc: more@people.example . <img src=x onerror="1">&'{actorName} ).\n`);
    expect(found?.html).not.toMatch(/<img|<b>/);
    expect(found?.html).toContain('&lt;img src=x onerror=&quot;1&quot;&gt;&amp;&#39;{actorName}');
  });

  it('leaves out notifications of types that a later release has added', async () => {
    await mail.prefer({ FileClosed: 'immediate' });
    await mail.closeFile();
    await mail.closeFile();
    await mail.tenant.query(`UPDATE notifications SET type = 'Future' WHERE tenant_id = $1
          AND id = (SELECT id FROM notifications WHERE tenant_id = $1 ORDER BY id LIMIT 1)`);
    await mail.runDue();
    expect(mail.lines().map((lines) => lines.length)).toEqual([1]);
  });
});
