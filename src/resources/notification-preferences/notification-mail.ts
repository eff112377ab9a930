import { escapeHtml } from '../../common/html.js';
import { type Language } from '../../common/messages/languages.js';
import { notificationText } from '../../common/messages/notifications.js';
import { type SentMailMode } from '../../common/vocabulary/mail-modes.js';
import { type Mail } from '../../platform/mail/mailer.js';

/** Notifications in one mail. The others are only counted. */
export const MAX_SHOWN = 50;

/** In characters. A longer subject is shortened. */
const MAX_SUBJECT = 150;

interface Shown {
  readonly type: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly createdAt: string;
}

export interface MailContent {
  readonly language: Language;
  readonly mode: SentMailMode;
  readonly tenantName: string;
  /** Newest first, at most {@link MAX_SHOWN}. */
  readonly notifications: readonly Shown[];
  /** Including those that are not shown. */
  readonly total: number;
  readonly timeZone: string;
  readonly unsubscribeUrl: string;
}

interface Texts {
  readonly locale: string;
  readonly heading: Readonly<Record<SentMailMode, string>>;
  readonly count: (mode: SentMailMode, total: number) => string;
  readonly more: (count: number) => string;
  readonly reason: (tenant: string) => string;
  readonly unsubscribe: string;
}

const TEXTS: Readonly<Record<Language, Texts>> = {
  en: {
    locale: 'en-GB',
    heading: { immediate: 'New notifications', daily: 'Daily summary' },
    count: (mode, total) =>
      mode === 'daily'
        ? `daily summary, ${total} ${total === 1 ? 'notification' : 'notifications'}`
        : `${total} new notifications`,
    more: (count) => `and ${count} more`,
    reason: (tenant) =>
      `You get this mail because of your notification preferences in “${tenant}”. Later changes may not be included.`,
    unsubscribe: 'Turn off all notification mail of this tenant',
  },
  de: {
    locale: 'de-DE',
    heading: { immediate: 'Neue Benachrichtigungen', daily: 'Tagesübersicht' },
    count: (mode, total) =>
      mode === 'daily'
        ? `Tagesübersicht, ${total} ${total === 1 ? 'Benachrichtigung' : 'Benachrichtigungen'}`
        : `${total} neue Benachrichtigungen`,
    more: (count) => `und ${count} weitere`,
    reason: (tenant) =>
      `Anlass dieser E-Mail sind die Einstellungen für Benachrichtigungen in „${tenant}“. Spätere Änderungen sind möglicherweise nicht enthalten.`,
    unsubscribe: 'Alle Benachrichtigungen dieses Mandanten per E-Mail abstellen',
  },
};

/**
 * The mail about notifications: text and HTML with the same content. Names and titles become single lines, so they cannot
 * add lines to the header or the text.
 */
export function notificationMail(content: MailContent): Omit<Mail, 'to' | 'unsubscribeUrl'> {
  const { language, mode, notifications, total, timeZone, unsubscribeUrl } = content;
  const texts = TEXTS[language];
  const tenant = singleLine(content.tenantName);
  const time = new Intl.DateTimeFormat(texts.locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone,
  });
  const entries = notifications.flatMap(({ type, parameters, createdAt }) => {
    const text = notificationText(type, parameters, language);
    return text === null ? [] : [{ text: singleLine(text), at: time.format(new Date(createdAt)), createdAt }];
  });
  const [first] = entries;
  const what = total === 1 && mode === 'immediate' && first ? first.text : texts.count(mode, total);
  const subject = shortened(`${tenant}: ${what}`);
  const heading = `${texts.heading[mode]}: ${tenant}`;
  const more = total > notifications.length ? texts.more(total - notifications.length) : null;
  const reason = texts.reason(tenant);
  return {
    subject,
    text: [
      `${heading} (${timeZone})`,
      ...entries.map(({ text, at }) => `- ${text}\n  ${at}`),
      ...(more === null ? [] : [more]),
      '-- ',
      reason,
      `${texts.unsubscribe}:\n${unsubscribeUrl}\n`,
    ].join('\n\n'),
    html: `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
</head>
<body style="font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 40rem; padding: 1rem">
<h1 style="font-size: 1.25rem">${escapeHtml(heading)}</h1>
<ul style="padding-left: 1.25rem">
${entries
  .map(
    ({ text, at, createdAt }) =>
      `<li style="margin: 0 0 .75rem">${escapeHtml(text)}<br><small><time datetime="${createdAt}">${escapeHtml(at)}</time> ${escapeHtml(timeZone)}</small></li>`,
  )
  .join('\n')}
</ul>
${more === null ? '' : `<p>${escapeHtml(more)}</p>\n`}<p><small>${escapeHtml(reason)}<br><a href="${escapeHtml(unsubscribeUrl)}">${escapeHtml(texts.unsubscribe)}</a></small></p>
</body>
</html>
`,
  };
}

/** Replaces control characters and line ends with a space, and removes marks that change the direction of later text. */
function singleLine(text: string): string {
  return text
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
}

function shortened(text: string): string {
  const characters = [...text];
  return characters.length > MAX_SUBJECT ? `${characters.slice(0, MAX_SUBJECT - 1).join('')}…` : text;
}
