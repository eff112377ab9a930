import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { isJsonObject } from '../../common/json-object.js';
import { memberPath } from '../../common/member-path.js';
import { LANGUAGES, type Language } from '../../common/messages/languages.js';
import { type Message, message } from '../../common/messages/message.js';
import { NOTIFICATION_TYPES, type NotificationType } from '../../common/messages/notifications.js';
import { MAIL_MODES, type MailMode } from '../../common/vocabulary/mail-modes.js';
import { EnumField } from '../../platform/http/input/enum-field.js';
import { Field } from '../../platform/http/input/field.js';
import { Rule, type ValueErrors } from '../../platform/http/input/rule.js';
import { type NotificationPreferences } from './notification-preferences.repository.js';

type MailModes = Readonly<Record<NotificationType, MailMode>>;

const MODES = {
  type: 'object',
  properties: Object.fromEntries(
    NOTIFICATION_TYPES.map((type) => [type, { type: 'string' as const, enum: [...MAIL_MODES] }]),
  ),
} as const;

export class UpdateNotificationPreferencesBody {
  @EnumField(LANGUAGES, { description: 'Language of the mail', example: 'de' })
  language!: Language;

  @Field(
    MODES,
    {
      description: 'When mail is sent, by type of notification. Absent types are off.',
      example: { DocumentProcessingFailed: 'immediate', DocumentFiled: 'daily' },
    },
    Rule('mailModes', modeErrors),
  )
  mail!: Partial<MailModes>;
}

@ApiSchema({ name: 'NotificationPreferences' })
export class NotificationPreferencesResponse {
  @ApiProperty({ enum: [...LANGUAGES], example: 'de' })
  language!: Language;

  @ApiProperty({
    ...MODES,
    required: NOTIFICATION_TYPES,
    selfRequired: true,
    description: 'When mail is sent, for every type of notification',
  })
  mail!: MailModes;
}

export function presentPreferences({
  language,
  mail,
}: NotificationPreferences): NotificationPreferencesResponse {
  const modes = NOTIFICATION_TYPES.map((type) => [type, mail[type] ?? 'off']);
  return { language, mail: Object.fromEntries(modes) as MailModes };
}

function modeErrors(value: unknown): ValueErrors | null {
  if (!isJsonObject(value)) return message('value.object');
  const entries = Object.entries(value);
  const max = NOTIFICATION_TYPES.length;
  if (entries.length > max) return message('value.max-members', { max });
  const errors: Record<string, Message> = {};
  for (const [type, mode] of entries) {
    if (!(NOTIFICATION_TYPES as readonly string[]).includes(type))
      errors[memberPath(type)] = message('value.notification-type');
    else if (!(MAIL_MODES as readonly unknown[]).includes(mode))
      errors[memberPath(type)] = message('value.one-of', { values: MAIL_MODES.join(', ') });
  }
  return Object.keys(errors).length > 0 ? errors : null;
}
