import { PAGE_STYLE, escapeHtml, htmlPage } from '../../common/html.js';
import { LANGUAGES, type Language } from '../../common/messages/languages.js';
import { type Configuration } from '../../platform/config/configuration.js';
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
    invited: `This is an invitation to the tenant ${TENANT}. Log in with the e-mail address that it was sent to, then accept or decline it.`,
    who: `Logged in as <strong data-value="who"></strong>. Invitation to the tenant ${TENANT}:`,
    logIn: 'Log in',
    accept: 'Accept',
    decline: 'Decline',
    otherAccount: 'Use another account',
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
    invited: `Diese Einladung gilt für den Mandanten ${TENANT}. Zum Annehmen oder Ablehnen ist eine Anmeldung mit der eingeladenen E-Mail-Adresse nötig.`,
    who: `Angemeldet als <strong data-value="who"></strong>. Einladung zum Mandanten ${TENANT}:`,
    logIn: 'Anmelden',
    accept: 'Annehmen',
    decline: 'Ablehnen',
    otherAccount: 'Anderes Konto verwenden',
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

/** URLs are relative, so that the page also works behind a proxy that removes a path prefix. */
function pageIn(language: Language, configuration: Configuration): string {
  const texts = TEXTS[language];
  const logIn = button('log-in', texts.logIn);
  const otherAccount = button('other-account', texts.otherAccount);
  return htmlPage(
    language,
    texts.title,
    `<main aria-live="polite">
${section('waiting', texts.waiting)}
${section('log-in', texts.invited, logIn)}
${section('answer', texts.who, button('accept', texts.accept), button('decline', texts.decline), otherAccount)}
${section('accepted', texts.accepted)}
${section('already-accepted', texts.alreadyAccepted)}
${section('declined', texts.declined)}
${section('problem', '<strong data-value="title"></strong> <span data-value="detail"></span>', `<p id="not-found">${texts.notFound}</p>`, otherAccount)}
${section('login-failed', texts.loginFailed, logIn)}
${section('unreachable', texts.unreachable, logIn)}
${section('incomplete', texts.incomplete)}
${section('insecure', texts.insecure)}
</main>
<noscript>${texts.needsScript}</noscript>
<footer><p>${texts.programs}</p></footer>
<script src="invitation/page.js" data-issuer="${escapeHtml(issuerUrl(configuration))}" data-client-id="${escapeHtml(configuration.docsClientId)}"></script>`,
    '<meta name="robots" content="noindex">\n<link rel="stylesheet" href="invitation/page.css">',
  );
}

/** The page that invitation links open, unless INVITATION_URL names another front end. */
export class InvitationPage {
  readonly headers: Readonly<Record<string, string>>;
  private readonly pages: ReadonlyMap<Language, Representation>;
  private readonly assets: ReadonlyMap<string, Representation> = new Map([
    ['page.js', representation('text/javascript; charset=utf-8', INVITATION_SCRIPT)],
    ['page.css', representation('text/css; charset=utf-8', PAGE_STYLE)],
  ]);

  constructor(configuration: Configuration) {
    this.pages = new Map(
      LANGUAGES.map((language) => [
        language,
        representation('text/html; charset=utf-8', pageIn(language, configuration)),
      ]),
    );
    this.headers = {
      'Content-Security-Policy': contentSecurityPolicy(configuration),
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

/** Scripts and styles are never inline. The script fetches tokens from the issuer. */
function contentSecurityPolicy(configuration: Configuration): string {
  const issuer = new URL(issuerUrl(configuration)).origin;
  // The token endpoint of an external issuer may have any host.
  const elsewhere = configuration.embeddedIssuer ? [] : ['https:'];
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ["connect-src 'self'", issuer, ...elsewhere].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
