/** Languages of all texts for users. The first is the default (docs/adr/0026). */
export const LANGUAGES = ['en', 'de'] as const;

export type Language = (typeof LANGUAGES)[number];

export type Text = Readonly<Record<Language, string>>;
