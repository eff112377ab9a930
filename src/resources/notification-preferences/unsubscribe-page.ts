import { PAGE_STYLE, escapeHtml, htmlPage } from '../../common/html.js';
import { type Language } from '../../common/messages/languages.js';

/** Name and value of the form that mail programs send (RFC 8058, 3.1). */
export const ONE_CLICK = { name: 'List-Unsubscribe', value: 'One-Click' } as const;

interface Texts {
  readonly title: string;
  /** `tenant` is HTML. */
  readonly question: (tenant: string) => string;
  readonly button: string;
  readonly doneTitle: string;
  readonly done: (tenant: string) => string;
  readonly invalidTitle: string;
  readonly invalid: string;
}

const TEXTS: Readonly<Record<Language, Texts>> = {
  en: {
    title: 'Turn off notification mail',
    question: (tenant) =>
      `This turns off all notification mail of the tenant ${tenant} to you. The notifications themselves remain, and other tenants are not affected.`,
    button: 'Turn off mail',
    doneTitle: 'Notification mail is off',
    done: (tenant) =>
      `The tenant ${tenant} sends you no more notification mail. You can turn it on again in your notification preferences.`,
    invalidTitle: 'This link is not valid',
    invalid:
      'It is incomplete, older than a year, or belongs to a former membership. Use the link of a newer mail, or change your notification preferences.',
  },
  de: {
    title: 'Benachrichtigungen per E-Mail abstellen',
    question: (tenant) =>
      `Damit werden alle Benachrichtigungen des Mandanten ${tenant} per E-Mail abgestellt. Die Benachrichtigungen selbst bleiben erhalten, andere Mandanten sind nicht betroffen.`,
    button: 'E-Mails abstellen',
    doneTitle: 'Benachrichtigungen per E-Mail sind abgestellt',
    done: (tenant) =>
      `Der Mandant ${tenant} sendet keine Benachrichtigungen mehr per E-Mail. In den Einstellungen für Benachrichtigungen können sie wieder eingeschaltet werden.`,
    invalidTitle: 'Dieser Link ist ungültig',
    invalid:
      'Er ist unvollständig, älter als ein Jahr oder gehört zu einer früheren Mitgliedschaft. Stattdessen den Link einer neueren E-Mail verwenden oder die Einstellungen für Benachrichtigungen ändern.',
  },
};

const HEAD = `<style>${PAGE_STYLE}</style>\n<meta name="robots" content="noindex">`;

function page(language: Language, title: string, body: string): string {
  return htmlPage(language, title, `<main>\n${body}\n</main>`, HEAD);
}

/** The form is sent to the address of the page. */
export function unsubscribePage(language: Language, tenantName: string): string {
  const { title, question, button } = TEXTS[language];
  return page(
    language,
    title,
    `<p>${question(strong(tenantName))}</p>
<form method="post">
<input type="hidden" name="${ONE_CLICK.name}" value="${ONE_CLICK.value}">
<button type="submit">${button}</button>
</form>`,
  );
}

export function unsubscribedPage(language: Language, tenantName: string): string {
  const { doneTitle, done } = TEXTS[language];
  return page(language, doneTitle, `<p>${done(strong(tenantName))}</p>`);
}

export function invalidLinkPage(language: Language): string {
  const { invalidTitle, invalid } = TEXTS[language];
  return page(language, invalidTitle, `<p>${invalid}</p>`);
}

function strong(text: string): string {
  return `<strong>${escapeHtml(text)}</strong>`;
}
