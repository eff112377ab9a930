/** What people are answered in: the first one when nothing else is asked for (docs/adr/0026). */
export const LANGUAGES = ['en', 'de'] as const;

export type Language = (typeof LANGUAGES)[number];
