import { PAGE_STYLE, escapeHtml, htmlPage } from '../../common/html.js';
import { LANGUAGES, type Language } from '../../common/messages/languages.js';
import { roleNamesIn } from '../../common/messages/role-names.js';
import { type Configuration } from '../../platform/config/configuration.js';
import { loginPagePolicy } from '../../platform/documentation/login-page-policy.js';
import { type Representation, representation } from '../../platform/documentation/representation.js';
import { issuerUrl } from '../../platform/identity/issuer-url.js';
import { INVITATION_SCRIPT } from './invitation-page-script.js';

const TENANT = '<strong data-value="tenant"></strong>';
const ROLE = '<strong data-value="role"></strong>';
const REASON = '<span data-value="reason"></span>';

/** HTML. The script fills in all other data as text. */
const TEXTS = {
  en: {
    title: 'Invitation',
    tenant: 'Tenant',
    role: 'Role',
    inviter: 'Invited by',
    invited: 'Log in with the e-mail address that the invitation was sent to, then accept or decline it.',
    ended:
      'There is no open invitation with this link. It has expired, was answered or was revoked. If you have accepted it, log in to see it.',
    who: `Logged in as <strong data-value="who"></strong>.`,
    logIn: 'Log in',
    accept: 'Accept',
    decline: 'Decline',
    otherAccount: 'Use another account',
    openApp: 'Open the application',
    next: 'Next, open the application of your organisation for its files, and log in there with the same account. You can close this page.',
    accepted: `Accepted. You are now a member of ${TENANT}, with the role ${ROLE}.`,
    alreadyAccepted: `Already accepted. You are a member of ${TENANT}, with the role ${ROLE}.`,
    declined: 'Declined. You can close this page.',
    notFound:
      'There is no open invitation with this link for the e-mail address of this account. It was sent to another address, or it has expired, was answered or was revoked.',
    loginFailed: `The login was not completed. ${REASON}`,
    unreachable: 'The service or its login cannot be reached. Try again later.',
    incomplete: 'This link is not complete. Open it again from the e-mail.',
    insecure: 'The login needs a secure connection. Open the link with https.',
    waiting: 'One moment …',
    needsScript: 'This page needs JavaScript.',
    programs: 'For programs: <a href="docs">documentation of the API</a>',
  },
  de: {
    title: 'Einladung',
    tenant: 'Mandant',
    role: 'Rolle',
    inviter: 'Eingeladen von',
    invited:
      'Zum Annehmen oder Ablehnen ist eine Anmeldung mit der E-Mail-Adresse nötig, an die die Einladung ging.',
    ended:
      'Zu diesem Link gibt es keine offene Einladung. Sie ist abgelaufen, bereits beantwortet oder zurückgezogen. Eine angenommene Einladung ist nach der Anmeldung zu sehen.',
    who: `Angemeldet als <strong data-value="who"></strong>.`,
    logIn: 'Anmelden',
    accept: 'Annehmen',
    decline: 'Ablehnen',
    otherAccount: 'Anderes Konto verwenden',
    openApp: 'Anwendung öffnen',
    next: 'Als Nächstes die Anwendung der eigenen Organisation für ihre Akten öffnen und sich dort mit demselben Konto anmelden. Diese Seite kann geschlossen werden.',
    accepted: `Die Einladung ist angenommen. Die Mitgliedschaft bei ${TENANT} beginnt jetzt mit der Rolle ${ROLE}.`,
    alreadyAccepted: `Die Einladung wurde bereits angenommen. Die Mitgliedschaft bei ${TENANT} besteht mit der Rolle ${ROLE}.`,
    declined: 'Die Einladung ist abgelehnt. Diese Seite kann geschlossen werden.',
    notFound:
      'Für die E-Mail-Adresse dieses Kontos gibt es keine offene Einladung mit diesem Link. Sie wurde an eine andere Adresse gesendet, oder sie ist abgelaufen, bereits beantwortet oder zurückgezogen.',
    loginFailed: `Die Anmeldung wurde nicht abgeschlossen. ${REASON}`,
    unreachable: 'Der Dienst oder seine Anmeldung ist nicht erreichbar. Später erneut versuchen.',
    incomplete: 'Dieser Link ist unvollständig. Den vollständigen Link aus der E-Mail verwenden.',
    insecure: 'Die Anmeldung erfordert eine sichere Verbindung. Den Link mit https öffnen.',
    waiting: 'Einen Moment …',
    needsScript: 'Diese Seite benötigt JavaScript.',
    programs: 'Für Programme: <a href="docs">Dokumentation der API</a>',
  },
} satisfies Record<Language, object>;

function section(id: string, text: string, ...buttons: string[]): string {
  return `<section id="${id}" hidden>\n${[`<p>${text}</p>`, ...buttons].join('\n')}\n</section>`;
}

const button = (action: string, text: string) =>
  `<button type="button" data-action="${action}">${text}</button>`;

/** What the invitation says. The style sheet hides texts that are not known. */
function details({ tenant, role, inviter }: (typeof TEXTS)[Language]): string {
  const rows = Object.entries({ tenant, role, inviter });
  return `<dl>${rows.map(([name, label]) => `<div><dt>${label}</dt><dd data-value="${name}"></dd></div>`).join('')}</dl>
<blockquote data-value="message"></blockquote>`;
}

const STYLE = `${PAGE_STYLE}
div:has(> dd:empty), blockquote:empty { display: none }
.button { border: 1px solid; border-radius: .25rem; display: inline-block; padding: .5rem 1rem; text-decoration: none }
blockquote { border-inline-start: 3px solid; margin: 0 0 1rem; padding-inline-start: 1rem; white-space: pre-line }
`;

/** URLs are relative, so that the page also works behind a proxy that removes a path prefix. */
function pageIn(language: Language, configuration: Configuration): string {
  const texts = TEXTS[language];
  const logIn = button('log-in', texts.logIn);
  const otherAccount = button('other-account', texts.otherAccount);
  const { appUrl } = configuration;
  const next = appUrl
    ? `<p><a class="button" href="${escapeHtml(appUrl)}">${texts.openApp}</a></p>`
    : `<p>${texts.next}</p>`;
  return htmlPage(
    language,
    texts.title,
    `<main aria-live="polite">
${section('waiting', texts.waiting)}
${section('log-in', texts.invited, details(texts), logIn)}
${section('ended', texts.ended, logIn)}
${section('answer', texts.who, details(texts), button('accept', texts.accept), button('decline', texts.decline), otherAccount)}
${section('accepted', texts.accepted, next)}
${section('already-accepted', texts.alreadyAccepted, next)}
${section('declined', texts.declined)}
${section('problem', '<strong data-value="title"></strong> <span data-value="detail"></span>', `<p id="not-found">${texts.notFound}</p>`, otherAccount)}
${section('login-failed', texts.loginFailed, logIn)}
${section('unreachable', texts.unreachable, logIn)}
${section('incomplete', texts.incomplete)}
${section('insecure', texts.insecure)}
</main>
<noscript>${texts.needsScript}</noscript>
<footer><p>${texts.programs}</p></footer>
<script src="invitation/page.js" data-issuer="${escapeHtml(issuerUrl(configuration))}" data-client-id="${escapeHtml(configuration.docsClientId)}" data-role-names="${escapeHtml(JSON.stringify([...roleNamesIn(language)]))}"></script>`,
    '<meta name="robots" content="noindex">\n<link rel="stylesheet" href="invitation/page.css">',
  );
}

/** The page that invitation links open, unless INVITATION_URL names another front end. */
export class InvitationPage {
  readonly headers: Readonly<Record<string, string>>;
  private readonly pages: ReadonlyMap<Language, Representation>;
  private readonly assets: ReadonlyMap<string, Representation> = new Map([
    ['page.js', representation('text/javascript; charset=utf-8', INVITATION_SCRIPT)],
    ['page.css', representation('text/css; charset=utf-8', STYLE)],
  ]);

  constructor(configuration: Configuration) {
    this.pages = new Map(
      LANGUAGES.map((language) => [
        language,
        representation('text/html; charset=utf-8', pageIn(language, configuration)),
      ]),
    );
    this.headers = {
      'Content-Security-Policy': loginPagePolicy(configuration),
      'Referrer-Policy': 'no-referrer',
    };
  }

  in(language: Language): Representation {
    return this.pages.get(language) as Representation;
  }

  asset(name: string): Representation | null {
    return this.assets.get(name) ?? null;
  }
}
