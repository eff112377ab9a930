import { type NotificationKind, fill } from './catalogue.js';
import { type Language } from './languages.js';
import { NOTIFICATIONS, type NotificationType } from './notifications.js';

export const NOTIFICATION_TYPES = Object.keys(NOTIFICATIONS) as NotificationType[];

/** The sentence of a notification. Null for a type that this release does not have. */
export function notificationText(
  type: string,
  parameters: Readonly<Record<string, string>>,
  language: Language,
): string | null {
  if (!Object.hasOwn(NOTIFICATIONS, type)) return null;
  const kind: NotificationKind = NOTIFICATIONS[type as NotificationType];
  const values: Record<string, string> = {};
  for (const [name, labels] of Object.entries(kind.parameters)) {
    const value = parameters[name] ?? '';
    values[name] = labels && Object.hasOwn(labels, value) ? (labels[value]?.[language] ?? value) : value;
  }
  return fill(kind.text[language], values);
}
