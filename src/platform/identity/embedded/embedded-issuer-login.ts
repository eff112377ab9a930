import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import { findIssuerUser } from './demo-users.js';
import { errorPage, loginPage } from './embedded-issuer-pages.js';

const MAX_FORM_LENGTH = 8_192;

/**
 * Serves the page where the user is chosen (`/oidc/interaction/<uid>`). The form needs no CSRF token: it works
 * only with the cookie of this login, which is `SameSite=Lax` and restricted to this path.
 */
export async function answerInteraction(
  provider: Provider,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const details = await findInteraction(provider, req, res);
  if (!details) {
    const advice = 'Go back to the application and log in again.';
    return sendPage(res, 400, errorPage(`The login has expired. ${advice}`));
  }
  if (req.method === 'GET' || req.method === 'HEAD') {
    // Consent is always given: the demo users have nothing to protect.
    if (details.prompt.name === 'consent') return provider.interactionFinished(req, res, { consent: {} });
    const { login_hint: hint } = details.params;
    return sendPage(res, 200, loginPage(typeof hint === 'string' ? hint : ''));
  }
  if (req.method !== 'POST') {
    res.setHeader('Allow', 'GET, HEAD, POST');
    return sendPage(res, 405, errorPage('This page accepts only GET, HEAD and POST.'));
  }

  const form = await readForm(req);
  if (!form) return sendPage(res, 413, errorPage('The form is too large.'));
  const options = { mergeWithLastSubmission: false };
  if (form.has('cancel')) {
    const refusal = { error: 'access_denied', error_description: 'The sign-in was cancelled.' };
    return provider.interactionFinished(req, res, refusal, options);
  }
  const input = form.get('person') ?? '';
  const user = findIssuerUser(input);
  if (!user) return sendPage(res, 422, loginPage(input, true));

  // End the session of the previous user here. Otherwise the library logs out through a page that needs scripts.
  const session = details.session && (await provider.Session.findByUid(details.session.uid));
  if (session) {
    await session.destroy();
    details.session = undefined;
    await details.persist();
  }
  const login = { accountId: user.subject, remember: false };
  return provider.interactionFinished(req, res, { login }, options);
}

async function findInteraction(provider: Provider, req: IncomingMessage, res: ServerResponse) {
  try {
    return await provider.interactionDetails(req, res);
  } catch (error) {
    if (error instanceof Error && error.name === 'SessionNotFound') return undefined;
    throw error;
  }
}

async function readForm(req: IncomingMessage): Promise<URLSearchParams | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_FORM_LENGTH) return undefined;
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}

export function sendPage(res: ServerResponse, status: number, html: string): void {
  res.statusCode = status;
  res.setHeader('Content-Type', 'text/html; charset=utf-8');
  res.end(html);
}
