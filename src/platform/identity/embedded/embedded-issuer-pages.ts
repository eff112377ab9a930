import { escapeHtml, htmlPage } from '../../../common/html.js';
import { DEMO_USERS } from './demo-users.js';

/** @param input initial value of the field: the rejected input, or the client's `login_hint` */
export function loginPage(input: string, isInvalid = false): string {
  const people = DEMO_USERS.map(
    ({ subject, name, roleKey, email }) =>
      `<button name="person" value="${escapeHtml(subject)}">${escapeHtml(name)}` +
      `<small>${escapeHtml(roleKey.replace('_', ' '))}, ${escapeHtml(email)}</small></button>`,
  );
  const field = isInvalid ? 'aria-invalid="true" aria-describedby="error" autofocus' : '';
  return page(
    'Choose a user',
    `<p>This issuer is for demonstration only: it asks for no password and does not run in production.</p>
<h2 id="people">Users of the demo tenant</h2>
<form method="post" aria-labelledby="people">
${people.join('\n')}
</form>
<h2 id="other">Other user</h2>
<form method="post" aria-labelledby="other" novalidate>
${isInvalid ? '<p role="alert" id="error">Not a valid e-mail address.</p>' : ''}
<label for="email">E-mail address</label>
<input id="email" name="person" type="email" autocomplete="email" value="${escapeHtml(input)}" ${field}>
<button>Continue with this address</button>
</form>
<form method="post"><button name="cancel" value="true">Cancel</button></form>`,
  );
}

/** @param detail one sentence for the user */
export function errorPage(detail: string): string {
  return page('The login failed', `<p role="alert">${escapeHtml(detail)}</p>`);
}

function page(title: string, body: string): string {
  return htmlPage('en', title, `<main>\n${body}\n</main>`);
}
