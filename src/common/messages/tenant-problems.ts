import { NO_CHANGE_NEEDED } from './advice.js';
import { problems } from './catalogue.js';

const OTHER_NAME = {
  en: 'Choose another name, or use the one that has it. Names are not case-sensitive.',
  de: 'Einen anderen Namen wählen oder das vorhandene Element verwenden. Groß- und Kleinschreibung wird nicht unterschieden.',
};

/** States of tags, saved views, roles, members, invitations, access grants, webhooks and tenants. */
export const TENANT_PROBLEMS = problems({
  'tag.name-taken': {
    status: 409,
    title: { en: 'Tag name taken', de: 'Name des Schlagworts vergeben' },
    detail: {
      en: 'Another tag of the tenant has this name.',
      de: 'Ein anderes Schlagwort des Mandanten hat diesen Namen.',
    },
    advice: OTHER_NAME,
  },
  'saved-view.name-taken': {
    status: 409,
    title: { en: 'Saved view name taken', de: 'Name der Ansicht vergeben' },
    detail: {
      en: 'Another of your saved views has this name.',
      de: 'Eine andere eigene gespeicherte Ansicht hat diesen Namen.',
    },
    advice: OTHER_NAME,
  },
  'saved-view.too-many': {
    status: 409,
    title: { en: 'Too many saved views', de: 'Zu viele gespeicherte Ansichten' },
    detail: {
      en: 'A user can have at most 500 saved views.',
      de: 'Eine Person kann höchstens 500 gespeicherte Ansichten haben.',
    },
    advice: {
      en: 'Delete saved views that are no longer used.',
      de: 'Nicht mehr benötigte gespeicherte Ansichten löschen.',
    },
  },
  'saved-view.too-large': {
    status: 409,
    title: { en: 'Saved views too large', de: 'Gespeicherte Ansichten zu groß' },
    detail: {
      en: 'The filters of all saved views of a user can have at most 2 MiB together.',
      de: 'Die Filter aller gespeicherten Ansichten einer Person können zusammen höchstens 2 MiB groß sein.',
    },
    advice: {
      en: 'Delete saved views that are no longer used, or make their filters smaller.',
      de: 'Nicht mehr benötigte gespeicherte Ansichten löschen oder deren Filter verkleinern.',
    },
  },
  'role.name-taken': {
    status: 409,
    title: { en: 'Role name taken', de: 'Name der Rolle vergeben' },
    detail: {
      en: 'Another role of the tenant has this name.',
      de: 'Eine andere Rolle des Mandanten hat diesen Namen.',
    },
    advice: OTHER_NAME,
  },
  'role.built-in': {
    status: 409,
    title: { en: 'Built-in role', de: 'Vordefinierte Rolle' },
    detail: {
      en: 'Built-in roles cannot be changed or deleted.',
      de: 'Vordefinierte Rollen können weder geändert noch gelöscht werden.',
    },
    advice: {
      en: 'Create a role with the permissions you need, and assign it instead.',
      de: 'Eine Rolle mit den gewünschten Berechtigungen anlegen und diese zuweisen.',
    },
  },
  'role.in-use': {
    status: 409,
    title: { en: 'Role in use', de: 'Rolle in Verwendung' },
    detail: {
      en: 'A role that members or pending invitations have cannot be deleted.',
      de: 'Eine Rolle, die Mitgliedern oder offenen Einladungen zugewiesen ist, kann nicht gelöscht werden.',
    },
    advice: {
      en: 'Assign another role to its members, and revoke the pending invitations with this role.',
      de: 'Den Mitgliedern eine andere Rolle zuweisen und offene Einladungen mit dieser Rolle zurückziehen.',
    },
  },
  'member.last-administrator': {
    status: 409,
    title: { en: 'Last administrator', de: 'Letztes verwaltendes Mitglied' },
    detail: {
      en: 'The last member with both roles.manage and members.manage cannot lose these permissions.',
      de: 'Das letzte Mitglied mit roles.manage und members.manage kann diese Berechtigungen nicht verlieren.',
    },
    advice: {
      en: 'First give both permissions to another member.',
      de: 'Zuerst einem anderen Mitglied beide Berechtigungen geben.',
    },
  },
  'member.exists': {
    status: 409,
    title: { en: 'Already a member', de: 'Bereits Mitglied' },
    detail: {
      en: 'This user is already a member of the tenant.',
      de: 'Diese Person ist bereits Mitglied des Mandanten.',
    },
    advice: {
      en: 'Change the role of the member instead.',
      de: 'Stattdessen die Rolle des Mitglieds ändern.',
    },
  },
  'invitation.exists': {
    status: 409,
    title: { en: 'Already invited', de: 'Bereits eingeladen' },
    detail: {
      en: 'There is a pending invitation for this address, or a member has it.',
      de: 'Für diese Adresse gibt es eine offene Einladung oder bereits ein Mitglied.',
    },
    advice: {
      en: 'Wait until the invitation is answered, or revoke it and invite again.',
      de: 'Die Antwort auf die Einladung abwarten oder die Einladung zurückziehen und erneut einladen.',
    },
  },
  'invitation.ended': {
    status: 409,
    title: { en: 'Invitation ended', de: 'Einladung nicht mehr offen' },
    detail: {
      en: 'Only a pending invitation can be revoked.',
      de: 'Nur eine offene Einladung kann zurückgezogen werden.',
    },
    advice: NO_CHANGE_NEEDED,
  },
  'invitation.too-many-mails': {
    status: 429,
    title: { en: 'Too many invitation mails', de: 'Zu viele Einladungen per E-Mail' },
    detail: {
      en: 'The largest number of invitation mails within 24 hours has been sent.',
      de: 'Die höchste Zahl der Einladungen per E-Mail innerhalb von 24 Stunden ist erreicht.',
    },
    advice: {
      en: 'Wait for the number of seconds in the Retry-After header. Or set sendMail to false, and pass on the link in the response.',
      de: 'Die im Header Retry-After genannte Zahl von Sekunden warten. Oder sendMail auf false setzen und den Link in der Antwort weitergeben.',
    },
  },
  'access-grant.ended': {
    status: 409,
    title: { en: 'Grant ended', de: 'Freigabe beendet' },
    detail: {
      en: 'The grant has already expired or been revoked.',
      de: 'Die Freigabe ist bereits abgelaufen oder widerrufen.',
    },
    advice: NO_CHANGE_NEEDED,
  },
  'evidence.no-key': {
    status: 409,
    title: { en: 'No signing key', de: 'Kein Signaturschlüssel' },
    detail: {
      en: 'The service has no key to sign checkpoints of the audit log.',
      de: 'Der Dienst hat keinen Schlüssel, um Prüfpunkte des Protokolls zu signieren.',
    },
    advice: {
      en: 'The operator of the service sets AUDIT_SIGNING_KEY.',
      de: 'Der Betreiber des Dienstes setzt AUDIT_SIGNING_KEY.',
    },
  },
  'evidence.no-public-url': {
    status: 409,
    title: { en: 'No public address', de: 'Keine öffentliche Adresse' },
    detail: {
      en: 'Checkpoints of the audit log name the public address of the service, which is not configured.',
      de: 'Prüfpunkte des Protokolls nennen die öffentliche Adresse des Dienstes, die nicht konfiguriert ist.',
    },
    advice: {
      en: 'The operator of the service sets PUBLIC_URL.',
      de: 'Der Betreiber des Dienstes setzt PUBLIC_URL.',
    },
  },
  'evidence.not-yet': {
    status: 409,
    title: { en: 'Not in the tree yet', de: 'Noch nicht im Baum' },
    detail: {
      en: 'The audit entry has no leaf in the tree of the audit log yet.',
      de: 'Der Protokolleintrag hat noch kein Blatt im Baum des Protokolls.',
    },
    advice: {
      en: 'Try again after the seconds in Retry-After.',
      de: 'Nach den Sekunden in Retry-After erneut versuchen.',
    },
  },
  'webhook.too-many': {
    status: 409,
    title: { en: 'Too many webhooks', de: 'Zu viele Webhooks' },
    detail: {
      en: 'A tenant can have at most 20 webhooks.',
      de: 'Ein Mandant kann höchstens 20 Webhooks haben.',
    },
    advice: {
      en: 'Delete webhooks that are no longer used.',
      de: 'Nicht mehr benötigte Webhooks löschen.',
    },
  },
  'webhook.disabled': {
    status: 409,
    title: { en: 'Webhook disabled', de: 'Webhook deaktiviert' },
    detail: {
      en: 'Nothing is sent to a disabled webhook.',
      de: 'An einen deaktivierten Webhook wird nichts gesendet.',
    },
    advice: {
      en: 'Enable the webhook first.',
      de: 'Zuerst den Webhook aktivieren.',
    },
  },
  'webhook.creator-lost-right': {
    status: 409,
    title: { en: 'Creator lost the right', de: 'Berechtigung fehlt' },
    detail: {
      en: 'The creator of the webhook is no longer a member with auditLog.read.',
      de: 'Die Person, die den Webhook angelegt hat, ist kein Mitglied mit auditLog.read mehr.',
    },
    advice: {
      en: 'Change the URL to become its creator, or give the permission back to the creator.',
      de: 'Die URL ändern, um den Webhook zu übernehmen, oder der Person die Berechtigung wieder geben.',
    },
  },
  'webhook.too-many-pending': {
    status: 409,
    title: { en: 'Too many pending deliveries', de: 'Zu viele offene Zustellungen' },
    detail: {
      en: 'The webhook has 1000 pending deliveries.',
      de: 'Der Webhook hat 1000 offene Zustellungen.',
    },
    advice: {
      en: 'Wait until the receiver has accepted some of them.',
      de: 'Warten, bis der Empfänger einige davon angenommen hat.',
    },
  },
  'tenant.slug-unavailable': {
    status: 409,
    title: { en: 'Slug unavailable', de: 'Kurzname nicht verfügbar' },
    detail: {
      en: 'This slug cannot be used: it is malformed, reserved, or taken.',
      de: 'Dieser Kurzname (slug) kann nicht verwendet werden: Er ist ungültig, reserviert oder vergeben.',
    },
    advice: {
      en: 'Choose another slug: 3 to 63 lower-case letters, digits and hyphens, without a hyphen at either end and not in the form of a UUID.',
      de: 'Einen anderen Kurznamen wählen: 3 bis 63 Kleinbuchstaben, Ziffern und Bindestriche, ohne Bindestrich am Anfang oder Ende und nicht in der Form einer UUID.',
    },
  },
});
