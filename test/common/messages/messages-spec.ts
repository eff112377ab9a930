import { describe, expect, it } from '@jest/globals';
import { LANGUAGES } from '../../../src/common/messages/languages.js';
import {
  MESSAGES,
  type MessageCode,
  isMessage,
  message,
  textOf,
} from '../../../src/common/messages/message.js';
import { PROBLEMS } from '../../../src/common/messages/problems.js';
import { messages, notifications, problems } from '../../../src/common/messages/catalogue.js';
import { Problem, invalidValue, malformedBody } from '../../../src/common/problem.js';

const ENTRIES = Object.entries(MESSAGES);

/** Messages that clients show after the path of the value: “name must not be empty”. */
const isAboutValue = (code: string) => /^(value|reference|schema|field|filter)\./.test(code);

describe('Message catalogue', () => {
  it('has a different text in each language', () => {
    expect(ENTRIES.length).toBeGreaterThan(120);
    for (const [code, { en, de }] of ENTRIES) {
      expect({ code, texts: new Set([en, de].filter((text) => text.trim() !== '')).size }).toEqual({
        code,
        texts: LANGUAGES.length,
      });
    }
  });

  it('contains only predicates for a value and whole sentences', () => {
    const predicate = /^[a-zäöü].*[^.]$/;
    const sentence = /^[A-ZÄÖÜ].*\.$/;
    const malformed = ENTRIES.flatMap(([code, texts]) =>
      Object.values<string>(texts)
        .filter((text) => !predicate.test(text) && (isAboutValue(code) || !sentence.test(text)))
        .map((text) => ({ code, text })),
    );
    expect(malformed).toEqual([]);
  });

  it('has no duplicate texts', () => {
    const english = ENTRIES.map(([, { en }]) => en);
    expect(english.filter((text, index) => english.indexOf(text) !== index)).toEqual([]);
  });

  it('fills in all placeholders of every text', () => {
    for (const [code, { en }] of ENTRIES) {
      const params = Object.fromEntries(
        [...en.matchAll(/\{([^}]+)\}/g)].map(([, name = ''], at) => [name, at]),
      );
      for (const language of LANGUAGES) {
        const text = textOf({ code: code as MessageCode, params }, language);
        expect({ code, text }).toEqual({ code, text: expect.stringMatching(/^[^{}]+$/) });
      }
    }
  });

  it('has title, detail and advice of every problem in each language', () => {
    for (const [code, { title, detail, advice }] of Object.entries(PROBLEMS)) {
      for (const text of [title, detail, advice]) {
        expect({ code, same: text.en === text.de, empty: text.en === '' || text.de === '' }).toEqual({
          code,
          same: false,
          empty: false,
        });
        expect({ code, placeholders: `${text.en}${text.de}`.match(/[{}]/) }).toEqual({
          code,
          placeholders: null,
        });
      }
    }
  });
});

describe('message and textOf', () => {
  it('has a text in each language', () => {
    const found = message('field.max-fraction', { max: 2, currency: 'EUR' });
    expect(found).toEqual({ code: 'field.max-fraction', params: { max: 2, currency: 'EUR' } });
    expect(textOf(found, 'en')).toBe('must have at most 2 digits after the decimal point for EUR');
    expect(textOf(found, 'de')).toBe('darf für EUR höchstens 2 Nachkommastellen haben');
  });

  it('inserts parameters unchanged', () => {
    const found = message('schema.option-in-use', { option: '{option} $& {max}' });
    expect(textOf(found, 'en')).toBe('must keep {option} $& {max}, because documents have this value');
  });

  it('can combine several alternatives', () => {
    const found = { anyOf: [message('value.uuid'), message('field.max-digits', { max: 38 })] };
    expect(textOf(found, 'en')).toBe('must be a UUID; or must have at most 38 digits');
    expect(textOf(found, 'de')).toBe('muss eine UUID sein; oder darf höchstens 38 Ziffern haben');
  });

  it('is distinguished from messages by path', () => {
    expect([message('value.uuid'), { anyOf: [] }].map(isMessage)).toEqual([true, true]);
    expect([{}, { '': message('value.uuid') }, { '.code': message('value.uuid') }].map(isMessage)).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('does not compile with an unknown code or wrong parameters', () => {
    const wrong = [
      // @ts-expect-error unknown code
      () => message('value.nothing'),
      // @ts-expect-error parameter missing
      () => message('value.max-length'),
      // @ts-expect-error wrong parameter name
      () => message('value.max-length', { min: 1 }),
      // @ts-expect-error unknown additional parameter
      () => message('value.max-length', { max: 1, min: 1 }),
      // @ts-expect-error parameters for a text without placeholders
      () => message('value.uuid', { max: 1 }),
      // @ts-expect-error parameter missing
      () => invalidValue('name', 'value.max-length'),
      // @ts-expect-error unknown problem code
      () => new Problem('nothing'),
      // @ts-expect-error a language is missing
      () => messages({ 'a.b': { en: 'is odd' } }),
      // @ts-expect-error placeholders differ
      () => messages({ 'a.b': { en: 'has {max}', de: 'hat {min}' } }),
      // @ts-expect-error a placeholder is missing in one language
      () => messages({ 'a.b': { en: 'has {max} of {all}', de: 'hat {max}' } }),
      // @ts-expect-error advice is missing
      () => problems({ 'a.b': { status: 400, title: { en: 'A', de: 'B' }, detail: { en: 'A', de: 'B' } } }),
      // @ts-expect-error a placeholder without parameter
      () => notifications({ A: { text: { en: '{a}.', de: '{a}.' }, parameters: { b: null } } }),
      // @ts-expect-error placeholders differ
      () => notifications({ A: { text: { en: '{a}.', de: '{b}.' }, parameters: { a: null, b: null } } }),
    ];
    expect(wrong).toHaveLength(13);
  });
});

describe('Problem.wording', () => {
  it('uses the default detail of the problem code, unless a detail is given', () => {
    const { title, detail } = PROBLEMS['document.archived'];
    for (const language of LANGUAGES) {
      expect(new Problem('document.archived').wording(language)).toEqual({
        title: title[language],
        detail: detail[language],
        errors: undefined,
      });
    }
    const own = new Problem('document.archived', { detail: message('document.already-archived') });
    expect(own.wording('de').detail).toBe('Das Dokument ist bereits archiviert.');
    expect(own.message).toBe('document.archived: The document is already archived.');
  });

  it('contains the errors of all paths', () => {
    expect(invalidValue('__proto__', 'value.empty').wording('de').errors).toEqual(
      JSON.parse('{"__proto__":["darf nicht leer sein"]}'),
    );
    expect(malformedBody(message('body.json')).wording('en')).toEqual({
      title: 'The body cannot be read',
      detail: 'The body is not valid JSON.',
      errors: { $: ['The body is not valid JSON.'] },
    });
  });
});
