import { createHash } from 'node:crypto';
import { representation } from '../http/documentation/representation.js';

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 0 auto; max-width: 44rem; padding: 2rem 1rem }
h1 { font-size: 1.5rem; line-height: 1.2 }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem }
label { display: block; font-weight: 600 }
input { box-sizing: border-box; font: inherit; margin: .25rem 0 1rem; padding: .5rem; width: 100% }
button { font: inherit; margin-right: .5rem; padding: .5rem 1rem }
pre { overflow-x: auto; padding: .75rem; border: 1px solid #767676; border-radius: .4rem }
:focus-visible { outline: 3px solid #2563eb; outline-offset: 2px }
`;

/**
 * Reads tenant and secret from the fragment, which no server is sent, and answers the invitation with the token that
 * the person pastes. Everything is shown as text, never as HTML.
 */
const SCRIPT = `
const parameters = new URLSearchParams(location.hash.slice(1));
const tenant = parameters.get('tenant') ?? '';
const secret = parameters.get('secret') ?? '';
const element = (id) => document.getElementById(id);
const address = (action) => 'api/v1/t/' + encodeURIComponent(tenant) + '/invitations/' + action;
const say = (text) => { element('answer').textContent = text; };

async function answer(action) {
  const token = element('token').value.trim();
  if (token === '') return say('An access token is needed. / Ein Zugangstoken wird benötigt.');
  say('…');
  try {
    const response = await fetch(address(action), {
      method: 'POST',
      headers: { Authorization: 'Bearer ' + token, 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify({ secret }),
    });
    if (response.status === 204) return say('Declined. / Abgelehnt.');
    const body = await response.json();
    if (!response.ok) return say(response.status + ' ' + body.title + '. ' + body.detail);
    say('You are a member of ' + body.tenant.name + ' now, as ' + body.role.name + '. / Sie gehören jetzt dazu.');
  } catch {
    say('The service cannot be reached. / Der Dienst ist nicht erreichbar.');
  }
}

if (tenant === '' || secret === '') {
  say('This link is not complete. / Dieser Link ist nicht vollständig.');
} else {
  element('tenant').textContent = tenant;
  element('request').textContent = 'POST ' + new URL(address('accept'), location.href).pathname
    + '\\n\\n' + JSON.stringify({ secret });
  element('form').hidden = false;
  element('form').addEventListener('submit', (event) => {
    event.preventDefault();
    answer(event.submitter.value);
  });
}
`;

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Invitation</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Invitation <span lang="de">/ Einladung</span></h1>
<p id="answer" role="status"></p>
<noscript>This page needs JavaScript.</noscript>
<form id="form" hidden>
<p>You are invited to <strong id="tenant"></strong>. Answer with an access token for the address that the invitation was sent to.</p>
<p lang="de">Sie sind eingeladen. Antworten Sie mit einem Zugangstoken für die Adresse, an die die Einladung ging.</p>
<label for="token">Access token <span lang="de">/ Zugangstoken</span></label>
<input id="token" type="password" autocomplete="off" spellcheck="false">
<button value="accept">Accept <span lang="de">/ Annehmen</span></button>
<button value="decline">Decline <span lang="de">/ Ablehnen</span></button>
<h2>For programs</h2>
<p>The same as a request; it is described <a href="docs">in the documentation of the API</a>, where one can log in and try it.</p>
<pre id="request"></pre>
</form>
<script>${SCRIPT}</script>
</body>
</html>
`;

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Where the link of an invitation leads, unless a front end of its own takes it (INVITATION_URL). */
export const INVITATION_PAGE = representation('text/html; charset=utf-8', PAGE);

export const INVITATION_PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'none'",
    `script-src ${hashOf(SCRIPT)}`,
    `style-src ${hashOf(STYLE)}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
};
