/** When a member gets mail about notifications of a type. The first is the default. */
export const MAIL_MODES = ['off', 'immediate', 'daily'] as const;

export type MailMode = (typeof MAIL_MODES)[number];

/** A mode in which mail is sent. */
export type SentMailMode = Exclude<MailMode, 'off'>;
