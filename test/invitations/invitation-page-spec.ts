import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Actor } from '../support/actor.js';
import { TestService } from '../support/service.js';
import { type TestTenant } from '../support/tenant.js';

interface Element {
  textContent: string;
  value: string;
  hidden: boolean;
  submit?: (event: { preventDefault: () => void; submitter: { value: string } }) => void;
  addEventListener(type: string, listener: Element['submit']): void;
}

/** As much of a browser as the page's script asks for: elements by id, the address, and a network that is real. */
class Visit {
  private readonly elements = new Map<string, Element>();
  readonly requests: string[] = [];

  constructor(script: string, url: string) {
    const ids = ['answer', 'tenant', 'request', 'form', 'token'];
    for (const id of ids) {
      const element: Element = {
        textContent: '',
        value: '',
        hidden: id === 'form',
        addEventListener: (_, listener) => (element.submit = listener),
      };
      this.elements.set(id, element);
    }
    runInNewContext(script, {
      location: new URL(url),
      document: { getElementById: (id: string) => this.element(id) },
      URL,
      URLSearchParams,
      fetch: (address: string, init: RequestInit) => {
        const target = new URL(address, url).href;
        this.requests.push(target);
        return fetch(target, init);
      },
    });
  }

  element(id: string): Element {
    const element = this.elements.get(id);
    if (!element) throw new Error(`The page has no element ${id}.`);
    return element;
  }

  /** Presses a button and waits for what the page says to it. */
  async press(button: 'accept' | 'decline', token: string): Promise<string> {
    const answer = this.element('answer');
    this.element('token').value = token;
    this.element('form').submit?.({ preventDefault: () => undefined, submitter: { value: button } });
    while (answer.textContent === '…') await new Promise((resolve) => setTimeout(resolve, 5));
    return answer.textContent;
  }
}

describe('The page that invitations lead to', () => {
  let service: TestService;
  let tenant: TestTenant;
  let admin: Actor;
  let invited: Actor;
  let acceptUrl: string;
  beforeAll(async () => {
    service = await TestService.shared();
  });
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator');
    invited = await tenant.outsider();
    const body = { email: invited.email, roleId: await tenant.roleId('viewer') };
    const created = (await admin.post('/invitations', body).expect(201)).body as { acceptUrl: string };
    // The service's own idea of its address ends in port 0 here.
    acceptUrl = created.acceptUrl.replace(service.configuration.publicUrl, service.url);
  });

  const read = async () => {
    const response = await fetch(acceptUrl);
    const html = await response.text();
    const [, script = ''] = /<script>([^]*)<\/script>/.exec(html) ?? [];
    return { response, html, script };
  };

  it('is where the link says, without a token, and holds nothing of the invitation', async () => {
    const { response, html } = await read();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(html).not.toContain(tenant.slug);
    const again = await fetch(acceptUrl, {
      headers: { 'If-None-Match': response.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
  });

  it('keeps the secret to itself: in the fragment, without Referer, and with no scripts but its own', async () => {
    const { response, html, script } = await read();
    const secret = new URLSearchParams(new URL(acceptUrl).hash.slice(1)).get('secret') ?? '';
    expect(secret).toHaveLength(43);
    expect(acceptUrl.split('#')[0]).not.toContain(secret);
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    const [, style = ''] = /<style>([^]*)<\/style>/.exec(html) ?? [];
    const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    expect(response.headers.get('content-security-policy')?.split('; ')).toEqual([
      "default-src 'none'",
      `script-src ${hash(script)}`,
      `style-src ${hash(style)}`,
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(html).not.toMatch(/\son\w+=|javascript:|innerHTML/);
  });

  it('makes a member of who accepts with their token', async () => {
    const visit = new Visit((await read()).script, acceptUrl);
    expect(visit.element('form').hidden).toBe(false);
    expect(visit.element('tenant').textContent).toBe(tenant.slug);
    expect(visit.element('request').textContent).toContain(
      `POST /api/v1/t/${tenant.slug}/invitations/accept`,
    );
    expect(await visit.press('accept', '')).toMatch(/token is needed/);
    expect(await visit.press('accept', ` ${invited.token}\n`)).toMatch(
      new RegExp(`^You are a member of Tenant ${tenant.slug} now, as Viewer\\.`),
    );
    expect(visit.requests).toEqual([`${service.url}/api/v1/t/${tenant.slug}/invitations/accept`]);
    expect((await invited.get('/files')).status).toBe(200);
  });

  it('declines', async () => {
    const visit = new Visit((await read()).script, acceptUrl);
    expect(await visit.press('decline', invited.token)).toMatch(/^Declined\./);
    expect((await invited.get('/files')).status).toBe(403);
  });

  it('tells what went wrong', async () => {
    const { script } = await read();
    const visit = new Visit(script, acceptUrl);
    expect(await visit.press('accept', 'nonsense')).toMatch(/^401 Authentication required\. /);
    expect(await visit.press('accept', (await tenant.outsider()).token)).toMatch(/^404 Not found\. /);
    expect(
      await new Visit(script, 'http://127.0.0.1:1/invitation#tenant=a&secret=b').press('accept', 'x'),
    ).toMatch(/^The service cannot be reached\./);
  });

  it.each(['', '#', '#tenant=acme', '#secret=x', '#tenant=&secret='])(
    'offers nothing for %j',
    async (fragment) => {
      const visit = new Visit((await read()).script, `${service.url}/invitation${fragment}`);
      expect(visit.element('form').hidden).toBe(true);
      expect(visit.element('answer').textContent).toMatch(/not complete/);
    },
  );

  it('addresses nothing but the invitation, whatever the fragment says', async () => {
    const visit = new Visit(
      (await read()).script,
      `${service.url}/invitation#tenant=..%2F..%2Foidc%2Ftoken%3F&secret=x`,
    );
    expect(await visit.press('accept', invited.token)).toMatch(/^404 /);
    expect(visit.requests).toEqual([`${service.url}/api/v1/t/..%2F..%2Foidc%2Ftoken%3F/invitations/accept`]);
  });
});
