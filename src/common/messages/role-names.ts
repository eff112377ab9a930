import { type BUILT_IN_ROLES } from '../vocabulary/built-in-roles.js';
import { type Language, type Text } from './languages.js';

/** By the name in the API. No other role of a tenant has one of these names. */
const NAMES: Readonly<Record<(typeof BUILT_IN_ROLES)[number]['name'], Text>> = {
  Administrator: { en: 'Administrator', de: 'Administration' },
  'Records manager': { en: 'Records manager', de: 'Schriftgutverwaltung' },
  Editor: { en: 'Editor', de: 'Bearbeitung' },
  Viewer: { en: 'Viewer', de: 'Einsicht' },
  Auditor: { en: 'Auditor', de: 'Revision' },
  Guest: { en: 'Guest', de: 'Gast' },
};

/** The built-in roles, by their name in the API, as a text in this language has them. Other roles have one name. */
export function roleNamesIn(language: Language): ReadonlyMap<string, string> {
  return new Map(Object.entries(NAMES).map(([name, text]) => [name, text[language]]));
}
