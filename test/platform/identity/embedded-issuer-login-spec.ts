import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { DEMO_USERS } from '../../../src/platform/identity/embedded/demo-users.js';
import { Browser } from './browser.js';
import { openLoginPage, publicUrl, useEmbeddedIssuer } from './embedded-issuer.js';

useEmbeddedIssuer();

describe('the login page', () => {
  it('has no scripts or external resources, and a Content-Security-Policy that forbids them', async () => {
    const { headers, text } = await openLoginPage(new Browser());
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    const style = /<style>([\s\S]*?)<\/style>/.exec(text)?.[1] ?? '';
    expect(policy).toContain(createHash('sha256').update(style).digest('base64'));
    expect(text).not.toMatch(/<script|<link|<img|\bon[a-z]+=|style="|https?:/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('allows the redirect to the client in form-action', async () => {
    const { headers } = await openLoginPage(new Browser());
    const localhost = publicUrl.replace('127.0.0.1', 'localhost');
    expect(headers.get('content-security-policy')).toContain(`form-action 'self' ${publicUrl} ${localhost}`);
  });

  it('has a button for every demo user and a label for its field', async () => {
    const { text } = await openLoginPage(new Browser());
    for (const { subject, name } of DEMO_USERS) {
      expect(text).toContain(`<button name="person" value="${subject}">${name}`);
    }
    expect(text).toContain('<html lang="en">');
    expect(text).toMatch(/<label for="email">[\s\S]*<input\s[^>]*id="email"/);
  });

  it('shows an invalid address again, escaped, and accepts a second try', async () => {
    const browser = new Browser();
    const page = await openLoginPage(browser);
    const { status, text } = await browser.submit(page.url, { person: '"><b>nobody' });
    expect(status).toBe(422);
    expect(text).toContain('role="alert"');
    expect(text).toContain('value="&quot;&gt;&lt;b&gt;nobody"');
    expect((await browser.submit(page.url, { person: 'demo-viewer' })).location).toContain('code=');
  });

  it('fills the field with login_hint', async () => {
    const { text } = await openLoginPage(new Browser(), { login_hint: 'bob@example.com' });
    expect(text).toContain('value="bob@example.com"');
  });

  it('redirects with access_denied when the user cancels', async () => {
    const browser = new Browser();
    const page = await openLoginPage(browser);
    const { location } = await browser.submit(page.url, { cancel: 'true' });
    expect(new URL(location ?? '').searchParams.get('error')).toBe('access_denied');
  });

  it('returns 400 without the cookie of the login', async () => {
    const page = await openLoginPage(new Browser());
    const { status, text } = await new Browser().submit(page.url, { person: 'demo-administrator' });
    expect(status).toBe(400);
    expect(text).toContain('The login has expired.');
  });

  it('rejects other methods and a form that is too large', async () => {
    const browser = new Browser();
    const page = await openLoginPage(browser);
    expect((await browser.request(page.url, { method: 'PUT' })).headers.get('allow')).toBe('GET, HEAD, POST');
    expect((await browser.submit(page.url, { person: 'x'.repeat(10_000) })).status).toBe(413);
  });

  it('restricts its cookies to its own path, SameSite=Lax and HttpOnly', async () => {
    const browser = new Browser();
    await openLoginPage(browser);
    expect(browser.setCookies.length).toBeGreaterThan(0);
    for (const cookie of browser.setCookies) {
      expect(cookie).toMatch(/; path=\/oidc/);
      expect(cookie).toMatch(/; samesite=lax/i);
      expect(cookie).toMatch(/; httponly/i);
    }
  });
});
