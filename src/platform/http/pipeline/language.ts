import { type Request } from 'express';
import { type FieldErrors, type Problem } from '../../../common/problem.js';
import { GERMAN_PROBLEMS } from '../../../common/vocabulary/german-problems.js';
import { GERMAN_SENTENCES } from '../../../common/vocabulary/german-sentences.js';
import { LANGUAGES, type Language } from '../../../common/vocabulary/languages.js';
import { PROBLEMS } from '../../../common/vocabulary/problems.js';

/** What a problem document says to people. */
export type ProblemWording = Pick<Problem, 'title' | 'detail' | 'errors'>;

/**
 * The language that a request is best answered in (RFC 9110, 12.5.4); English when it asks for none that there is: a
 * sentence in another language is worth more to its reader than a 406.
 */
export function languageOf(request: Request): Language {
  if (request.headers['accept-language'] === undefined) return LANGUAGES[0];
  const language = request.acceptsLanguages([...LANGUAGES]);
  return LANGUAGES.find((candidate) => candidate === language) ?? LANGUAGES[0];
}

/** What a problem says, in the language; a detail of its own that has no translation is that of its kind. */
export function wordingOf(
  { code, title, detail, errors }: ProblemWording & Pick<Problem, 'code'>,
  language: Language,
): ProblemWording {
  if (language === 'en') return { title, detail, errors };
  const german = GERMAN_PROBLEMS[code];
  const isOfItsKind = detail === PROBLEMS[code].detail;
  return {
    title: german.title,
    detail: (isOfItsKind ? null : germanSentence(detail)) ?? german.detail,
    errors: errors && germanErrors(errors),
  };
}

function germanErrors(errors: FieldErrors): FieldErrors {
  const translated = Object.entries(errors).map(
    ([path, sentences]) => [path, sentences.map((sentence) => germanSentence(sentence) ?? sentence)] as const,
  );
  return Object.fromEntries(translated);
}

interface Template {
  readonly pattern: RegExp;
  /** The German, cut where the filled-in parts belong. */
  readonly parts: readonly string[];
}

let templates: Template[] | undefined;

/** Null when the catalogue does not have the sentence. */
export function germanSentence(sentence: string): string | null {
  const known = Object.hasOwn(GERMAN_SENTENCES, sentence) ? GERMAN_SENTENCES[sentence] : undefined;
  if (known !== undefined) return known;
  templates ??= Object.entries(GERMAN_SENTENCES)
    .filter(([english]) => english.includes('{}'))
    .map(([english, german]) => ({ pattern: patternOf(english), parts: german.split('{}') }));
  for (const { pattern, parts } of templates) {
    const filled = pattern.exec(sentence);
    if (filled) return parts.map((part, index) => (index ? `${filled[index] ?? ''}${part}` : part)).join('');
  }
  return germanAlternatives(sentence);
}

/** A value that may be of several types, and is of none, is told what it might have been. */
function germanAlternatives(sentence: string): string | null {
  const alternatives = sentence.split('; or ');
  if (alternatives.length < 2) return null;
  const translated = alternatives.map((alternative) => germanSentence(alternative));
  return translated.includes(null) ? null : translated.join('; oder ');
}

/** The longest sentence is far below a kilobyte: backtracking costs nothing worth counting. */
function patternOf(english: string): RegExp {
  const literal = english.split('{}').map((part) => part.replace(/[.*+?^$(){}|[\]\\]/g, '\\$&'));
  return new RegExp(`^${literal.join('(.+)')}$`, 's');
}
