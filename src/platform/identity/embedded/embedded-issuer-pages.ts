import { createHash } from 'node:crypto';
import { escapeHtml } from '../../../common/html.js';
import { DEMO_PEOPLE } from './demo-people.js';

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 0 auto; max-width: 26rem; padding: 2rem 1rem }
h1 { font-size: 1.5rem; line-height: 1.2 }
h2 { font-size: 1rem; margin: 2rem 0 .5rem }
form { display: grid; gap: .5rem }
button, input { font: inherit; padding: .6rem .8rem; border: 1px solid #767676; border-radius: .4rem }
button { cursor: pointer; text-align: start }
button small { display: block; opacity: .8 }
button:focus-visible, input:focus-visible { outline: 3px solid #2563eb; outline-offset: 2px }
.cancel { margin-top: 2rem }
[role=alert] { border-inline-start: 4px solid #c62828; padding-inline-start: .8rem }
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/**
 * Nothing but the one style sheet. Forms lead back here, and from here on to the client that asked: browsers
 * check `form-action` on redirects too.
 */
export function contentSecurityPolicy(clientOrigins: readonly string[]): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    `form-action ${["'self'", ...clientOrigins].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}

/** @param typed what was in the field when it was refused, or what the client suggests (`login_hint`) */
export function loginPage({ typed = '', refused = false }: { typed?: string; refused?: boolean }): string {
  const people = DEMO_PEOPLE.map(
    ({ subject, name, roleKey, email }) =>
      `<button name="person" value="${escapeHtml(subject)}">${escapeHtml(name)}` +
      `<small>${escapeHtml(roleKey.replace('_', ' '))}, ${escapeHtml(email)}</small></button>`,
  );
  const field = refused ? 'aria-invalid="true" aria-describedby="fault" autofocus' : '';
  return page(
    'Who are you today?',
    `<p>This is the demonstration issuer: there are no passwords, and it does not run in production.</p>
<h2 id="people">People of the demo tenant</h2>
<form method="post" aria-labelledby="people">
${people.join('\n')}
</form>
<h2 id="other">Somebody else</h2>
<form method="post" aria-labelledby="other" novalidate>
${refused ? '<p role="alert" id="fault">This does not look like an e-mail address.</p>' : ''}
<label for="email">E-mail address</label>
<input id="email" name="person" type="email" autocomplete="email" value="${escapeHtml(typed)}" ${field}>
<button>Continue with this address</button>
</form>
<form method="post" class="cancel"><button name="cancel" value="true">Cancel</button></form>`,
  );
}

/** @param detail a sentence for people */
export function faultPage(detail: string): string {
  return page('This sign-in cannot go on', `<p role="alert">${escapeHtml(detail)}</p>`);
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`;
}
