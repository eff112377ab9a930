import { NOTHING_TO_DO } from './advice.js';
import { problems } from './catalogue.js';

const OTHER_NAME = {
  en: 'Take another name, or use what has it already. Upper and lower case make no difference.',
  de: 'Einen anderen Namen nehmen oder das nutzen, was ihn schon hat. Groß- und Kleinschreibung macht keinen Unterschied.',
};

/** States of everything else that a tenant has. */
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
      en: 'The caller has another saved view with this name.',
      de: 'Der Aufrufer hat eine andere gespeicherte Ansicht dieses Namens.',
    },
    advice: OTHER_NAME,
  },
  'saved-view.too-many': {
    status: 409,
    title: { en: 'Too many saved views', de: 'Zu viele gespeicherte Ansichten' },
    detail: {
      en: 'Nobody can keep more than 500 saved views.',
      de: 'Niemand kann mehr als 500 gespeicherte Ansichten haben.',
    },
    advice: {
      en: 'Delete saved views that are no longer used.',
      de: 'Gespeicherte Ansichten löschen, die nicht mehr gebraucht werden.',
    },
  },
  'saved-view.too-large': {
    status: 409,
    title: { en: 'Saved views too large', de: 'Gespeicherte Ansichten zu groß' },
    detail: {
      en: 'The filters of a user’s saved views have at most 2 MiB together.',
      de: 'Die Filter aller gespeicherten Ansichten eines Benutzers haben zusammen höchstens 2 MiB.',
    },
    advice: {
      en: 'Delete saved views that are no longer used, or make their filters smaller.',
      de: 'Gespeicherte Ansichten löschen, die nicht mehr gebraucht werden, oder ihre Filter verkleinern.',
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
    title: { en: 'Built-in role', de: 'Eingebaute Rolle' },
    detail: {
      en: 'Built-in roles can be neither changed nor deleted.',
      de: 'Eingebaute Rollen werden weder geändert noch gelöscht.',
    },
    advice: {
      en: 'Create a role with the permissions that are wanted, and give that one.',
      de: 'Eine Rolle mit den gewünschten Berechtigungen anlegen und diese vergeben.',
    },
  },
  'role.in-use': {
    status: 409,
    title: { en: 'Role in use', de: 'Rolle in Gebrauch' },
    detail: {
      en: 'A role that members or pending invitations have cannot be deleted.',
      de: 'Eine Rolle, die Mitglieder oder offene Einladungen haben, wird nicht gelöscht.',
    },
    advice: {
      en: 'Give its members another role, and revoke the pending invitations to it.',
      de: 'Ihren Mitgliedern eine andere Rolle geben und die offenen Einladungen zu ihr zurückziehen.',
    },
  },
  'member.last-administrator': {
    status: 409,
    title: { en: 'Last administrator', de: 'Letztes verwaltendes Mitglied' },
    detail: {
      en: 'The last member who can manage both roles and members cannot lose that.',
      de: 'Das letzte Mitglied, das Rollen und Mitglieder verwalten darf, kann dieses Recht nicht verlieren.',
    },
    advice: {
      en: 'Give somebody else both roles.manage and members.manage first.',
      de: 'Zuerst jemand anderem roles.manage und members.manage geben.',
    },
  },
  'member.exists': {
    status: 409,
    title: { en: 'Already a member', de: 'Schon Mitglied' },
    detail: {
      en: 'This user is a member of the tenant already.',
      de: 'Diese Person ist bereits Mitglied des Mandanten.',
    },
    advice: {
      en: 'Change the role of the member instead.',
      de: 'Stattdessen die Rolle des Mitglieds ändern.',
    },
  },
  'invitation.exists': {
    status: 409,
    title: { en: 'Already invited', de: 'Schon eingeladen' },
    detail: {
      en: 'There is a pending invitation for this address, or a member has it.',
      de: 'Für diese Adresse gibt es eine offene Einladung, oder ein Mitglied hat sie.',
    },
    advice: {
      en: 'Wait for the answer to the invitation, or revoke it and invite anew.',
      de: 'Auf die Antwort zur Einladung warten, oder sie zurückziehen und neu einladen.',
    },
  },
  'invitation.ended': {
    status: 409,
    title: { en: 'Invitation ended', de: 'Einladung beendet' },
    detail: {
      en: 'Only a pending invitation can be revoked.',
      de: 'Nur eine offene Einladung kann zurückgezogen werden.',
    },
    advice: NOTHING_TO_DO,
  },
  'access-grant.ended': {
    status: 409,
    title: { en: 'Grant ended', de: 'Freigabe beendet' },
    detail: {
      en: 'The grant has expired or was revoked already.',
      de: 'Die Freigabe ist abgelaufen oder wurde schon zurückgezogen.',
    },
    advice: NOTHING_TO_DO,
  },
  'tenant.slug-unavailable': {
    status: 409,
    title: { en: 'Slug unavailable', de: 'Kurzname nicht verfügbar' },
    detail: {
      en: 'This slug cannot be used: it is malformed, reserved, or taken.',
      de: 'Dieser Kurzname (slug) ist nicht zu haben: er ist falsch gebildet, vorbehalten oder vergeben.',
    },
    advice: {
      en: 'Take another one: 3 to 63 lower-case letters, digits and hyphens, with neither a hyphen at an end nor the form of a UUID.',
      de: 'Einen anderen nehmen: 3 bis 63 Kleinbuchstaben, Ziffern und Bindestriche, kein Bindestrich am Rand, nicht in der Form einer UUID.',
    },
  },
});
