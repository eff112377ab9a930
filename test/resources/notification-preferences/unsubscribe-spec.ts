import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import request, { type Response, type Test } from 'supertest';
import { UnsubscribeTokens } from '../../../src/resources/notification-preferences/unsubscribe-token.js';
import { expectProblem } from '../../support/expect-problem.js';
import { MailFixture, PUBLIC_URL } from './mail-fixture.js';

const FORM = 'List-Unsubscribe=One-Click';
const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8';

describe('The unsubscribe link', () => {
  let mail: MailFixture;
  let token: string;
  beforeAll(async () => {
    mail = await MailFixture.start();
  });
  afterAll(() => mail.stop());
  beforeEach(async () => {
    await mail.reset();
    await mail.prefer({ FileClosed: 'immediate', RoleChanged: 'daily' });
    await mail.closeFile();
    await mail.runDue();
    const [, found = ''] =
      /^<(.*)>$/.exec(mail.server.received[0]?.headers.get('list-unsubscribe') ?? '') ?? [];
    expect(found).toMatch(new RegExp(`^${PUBLIC_URL}/unsubscribe/[\\w-]+$`));
    token = found.slice(`${PUBLIC_URL}/unsubscribe/`.length);
  });

  const address = () => `10.${[...Buffer.from(mail.reader.userId.slice(-6), 'hex')].join('.')}`;
  const send = (method: 'get' | 'head' | 'post', value = token, from = address()): Test =>
    request(mail.service.url)[method](`/unsubscribe/${value}`).redirects(0).set('X-Forwarded-For', from);
  const post = (value = token, from?: string) =>
    send('post', value, from).set('Content-Type', 'application/x-www-form-urlencoded').send(FORM);
  const modes = async () => {
    const response = await mail.reader.get('/notification-preferences');
    const all = Object.values((response.body as { mail: Record<string, string> }).mail);
    return all.filter((mode) => mode !== 'off');
  };

  it('is in the header of each mail, with the field of RFC 8058', () => {
    expect(mail.server.received[0]?.headers.get('list-unsubscribe-post')).toBe(FORM);
    expect(mail.server.received[0]?.text).toContain(`\n${PUBLIC_URL}/unsubscribe/${token}\n`);
  });

  it('turns all mail of the member off, without login and redirect, and again when repeated', async () => {
    await mail.closeFile();
    for (let n = 0; n < 2; n += 1) {
      const response = await post();
      expect([response.status, response.headers['content-type'], response.headers.location]).toEqual([
        200,
        'text/html; charset=utf-8',
        undefined,
      ]);
      expect(response.text).toContain('Notification mail is off');
      expect(await modes()).toEqual([]);
    }
    await mail.pass('2 minutes');
    await mail.runAll();
    expect(mail.server.received).toHaveLength(1);
    expect(await mail.tenant.audit()).not.toContainEqual(
      expect.objectContaining({ actor_id: mail.reader.userId }),
    );
  });

  it('accepts the form as multipart/form-data, as mail services send it', async () => {
    const response = await send('post').field('List-Unsubscribe', 'One-Click');
    expect(response.status).toBe(200);
    expect(await modes()).toEqual([]);
  });

  it('can be followed by turning mail on again', async () => {
    await post();
    await mail.prefer({ FileClosed: 'immediate' });
    await mail.closeFile();
    await mail.pass('2 minutes');
    await mail.runAll();
    expect(mail.server.received).toHaveLength(2);
  });

  it('shows a page that changes nothing, with a form for the same address', async () => {
    await mail.tenant.query('UPDATE tenants SET name = $2 WHERE id = $1', '<Amt> & "Söhne"');
    const before = await mail.tenant.fingerprint();
    const response = await send('get').set('Accept', BROWSER);
    expect(response.status).toBe(200);
    expect(response.text).toContain('<strong>&lt;Amt&gt; &amp; &quot;Söhne&quot;</strong>');
    expect(response.text).toContain(
      '<form method="post">\n<input type="hidden" name="List-Unsubscribe" value="One-Click">\n<button type="submit">',
    );
    expect(response.text).not.toMatch(/<script|\son\w+=/);
    expect(response.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    );
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.headers['referrer-policy']).toBe('no-referrer');
    expect((await send('head')).status).toBe(200);
    expect(await mail.tenant.fingerprint()).toEqual(before);
    expect(await modes()).toHaveLength(2);
  });

  it('is in German for browsers that prefer it', async () => {
    const response = await send('get').set('Accept-Language', 'de');
    expect(response.text).toContain('<html lang="de">');
    expect(response.text).toContain('Benachrichtigungen per E-Mail abstellen');
    expect(response.headers['content-language']).toBe('de');
  });

  it.each([
    ['another value', 'List-Unsubscribe=Yes'],
    ['another field', 'Unsubscribe=One-Click'],
    ['an empty form', ''],
  ])('returns 400 for %s', async (_, form) => {
    const before = await mail.tenant.fingerprint();
    const response = await send('post').set('Content-Type', 'application/x-www-form-urlencoded').send(form);
    expectProblem(response, 'request.invalid', ['List-Unsubscribe']);
    expect(await mail.tenant.fingerprint()).toEqual(before);
  });

  it('returns 400 for a form that cannot be parsed, 413 for a large one and 415 for JSON', async () => {
    const broken = send('post').set('Content-Type', 'multipart/form-data; boundary=x').send('--y\r\n');
    expectProblem(await broken, 'request.malformed-body', ['$']);
    const large = send('post').set('Content-Type', 'application/x-www-form-urlencoded');
    expectProblem(await large.send(`${FORM}&x=${'x'.repeat(9000)}`), 'request.too-large');
    expectProblem(
      await send('post').send({ 'List-Unsubscribe': 'One-Click' }),
      'request.unsupported-media-type',
    );
    expect(await modes()).toHaveLength(2);
  });

  it('returns 404 for a token that is changed, cut, extended or of another key', async () => {
    const changed = [...token].map((character, index) => {
      const other = character === 'A' ? 'B' : 'A';
      return token.slice(0, index) + other + token.slice(index + 1);
    });
    const invalid = [...changed.filter((_, index) => index % 5 === 0), token.slice(0, -1), `${token}A`, 'x'];
    for (const [index, value] of invalid.entries()) {
      const from = `10.9.8.${index}`;
      expectProblem(await post(value, from), 'resource.not-found');
      expectProblem(await send('get', value, from), 'resource.not-found');
    }
    expect(await modes()).toHaveLength(2);
  });

  it('returns 404 as a page to browsers', async () => {
    for (const test of [send('get', 'x'), post('x')]) {
      const response = await test.set('Accept', BROWSER);
      expect([response.status, response.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      expect(response.text).toContain('This link is not valid');
    }
  });

  it('returns 404 after a year, and after the end of the membership, also after coming back', async () => {
    const tokens = mail.service.app.get(UnsubscribeTokens);
    const owner = { tenantId: mail.tenant.id, userId: mail.reader.userId };
    await mail.pass('400 days');
    const at = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    expectProblem(await post(tokens.write({ ...owner, issuedAt: at(366) })), 'resource.not-found');
    expect((await post(tokens.write({ ...owner, issuedAt: at(364) }))).status).toBe(200);
    await mail.admin.delete(`/members/${mail.reader.userId}`).expect(204);
    expectProblem(await post(), 'resource.not-found');
    await mail.tenant.addMember(mail.reader, 'editor');
    await mail.tenant.increaseAccessVersion();
    await mail.prefer({ FileClosed: 'immediate' });
    for (const test of [post(), send('get')]) expectProblem(await test, 'resource.not-found');
    expect(await modes()).toEqual(['immediate']);
  });

  it('does not affect another tenant of the user', async () => {
    const elsewhere = await mail.service.tenant();
    const there = await elsewhere.addMember(mail.reader, 'viewer');
    await mail.prefer({ FileClosed: 'daily' }, 'en', there);
    await post().expect(200);
    expect((await there.get('/notification-preferences')).body).toMatchObject({
      mail: { FileClosed: 'daily' },
    });
  });

  it('returns 429 for many invalid tokens of one address, and still accepts valid ones of it', async () => {
    const from = '10.1.2.3';
    const answers = await Promise.all(Array.from({ length: 150 }, () => send('get', 'x', from)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404, 429]));
    const limited = answers.find(({ status }) => status === 429) as Response;
    expectProblem(limited, 'request.rate-limited');
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    expectProblem(await send('get', 'x', '10.1.2.4'), 'resource.not-found');
    expect((await post(token, from)).status).toBe(200);
  });

  it('returns 429 for many requests with one valid token', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => send('get', token, `10.7.7.${n}`)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
  });

  it('is only in the text when PUBLIC_URL is not https', async () => {
    const plain = await MailFixture.start({ PUBLIC_URL: 'http://filing.example' });
    try {
      await plain.reset();
      await plain.prefer({ FileClosed: 'immediate' });
      await plain.closeFile();
      await plain.runDue();
      const [{ headers, text } = { headers: new Map<string, string>(), text: '' }] = plain.server.received;
      expect([headers.has('list-unsubscribe'), headers.has('list-unsubscribe-post')]).toEqual([false, false]);
      expect(text).toContain('\nhttp://filing.example/unsubscribe/');
    } finally {
      await plain.stop();
    }
  });
});
