import { escapeHtml, htmlPage } from '../../../common/html.js';
import { DEMO_USERS } from './demo-users.js';

/** @param typed what was in the field when it was refused, or what the client suggests (`login_hint`) */
export function loginPage({ typed = '', refused = false }: { typed?: string; refused?: boolean }): string {
  const people = DEMO_USERS.map(
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
<form method="post"><button name="cancel" value="true">Cancel</button></form>`,
  );
}

/** @param detail a sentence for people */
export function errorPage(detail: string): string {
  return page('This sign-in cannot go on', `<p role="alert">${escapeHtml(detail)}</p>`);
}

function page(title: string, body: string): string {
  return htmlPage('en', title, `<main>\n${body}\n</main>`);
}
