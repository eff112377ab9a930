import { beforeAll, describe, expect, it } from '@jest/globals';
import { germanSentence } from '../../../src/platform/http/pipeline/language.js';
import { GERMAN_PROBLEMS } from '../../../src/common/vocabulary/german-problems.js';
import { GERMAN_SENTENCES } from '../../../src/common/vocabulary/german-sentences.js';
import { adviceOn } from '../../../src/common/vocabulary/problem-advice.js';
import { ALL_PROBLEM_CODES, PROBLEMS } from '../../../src/common/vocabulary/problems.js';
import {
  type Sentence,
  sentencesAboutValues,
  sentencesIn,
  sentencesInTheSources,
} from './sentences-in-the-sources.js';

/** As in “name must not be empty”. */
const isPredicate = (text: string) => /^[a-zäöü].*[^.]$/.test(text);

const KINDS = new Set<string>(Object.values(PROBLEMS).map(({ detail }) => detail));

describe('The German of problems', () => {
  let sentences: Sentence[];
  beforeAll(async () => {
    sentences = await sentencesInTheSources();
  });

  it('has every sentence that src/ can answer with', () => {
    expect(sentences.length).toBeGreaterThan(90);
    const missing = sentences.filter(({ text }) => !(text in GERMAN_SENTENCES) && !KINDS.has(text));
    expect(missing).toEqual([]);
  });

  it('has no sentence that nothing answers with', () => {
    const used = new Set(sentences.map(({ text }) => text));
    expect(Object.keys(GERMAN_SENTENCES).filter((english) => !used.has(english))).toEqual([]);
  });

  it('has sentences about one value that complete its path', async () => {
    const about = await sentencesAboutValues();
    expect(about.length).toBeGreaterThan(90);
    expect(about.filter(({ text }) => !isPredicate(text))).toEqual([]);
    const german = about.map(({ text }) => GERMAN_SENTENCES[text] ?? '');
    expect(german.filter((text) => !isPredicate(text))).toEqual([]);
  });

  it('fills in as much as the English does, in its order', () => {
    const count = (text: string) => text.split('{}').length - 1;
    const uneven = Object.entries(GERMAN_SENTENCES).filter(
      ([english, german]) => count(english) !== count(german),
    );
    expect(uneven).toEqual([]);
    expect(germanSentence('must have at most 200 characters')).toBe('darf höchstens 200 Zeichen haben');
    expect(germanSentence('must be one of Open, Closed')).toBe('muss eines von diesen sein: Open, Closed');
    expect(germanSentence('must have at most 2 digits after the point in EUR')).toBe(
      'darf höchstens 2 Ziffern nach dem Punkt haben, denn so viele hat EUR',
    );
  });

  it('puts what might have been right into one sentence', () => {
    expect(germanSentence('must be a UUID; or must have at most 38 digits')).toBe(
      'muss eine UUID sein; oder darf höchstens 38 Ziffern haben',
    );
    expect(germanSentence('must be a UUID; or something new')).toBeNull();
  });

  it('says nothing of a sentence that it does not have', () => {
    for (const unknown of ['something new', 'constructor', '', 'must be one of ']) {
      expect({ unknown, german: germanSentence(unknown) }).toEqual({ unknown, german: null });
    }
  });

  it('has every kind of problem, and what to do about it', () => {
    expect(Object.keys(GERMAN_PROBLEMS).sort()).toEqual([...ALL_PROBLEM_CODES].sort());
    for (const code of ALL_PROBLEM_CODES) {
      const { title, detail } = GERMAN_PROBLEMS[code];
      expect({ code, same: title === PROBLEMS[code].title || detail === PROBLEMS[code].detail }).toEqual({
        code,
        same: false,
      });
      const advice = [adviceOn(code, 'en'), adviceOn(code, 'de')];
      expect({ code, advice: new Set(advice).size }).toEqual({ code, advice: 2 });
      // The last resort is for kinds of a status that nobody has thought of.
      expect({ code, advice: advice[0] }).not.toEqual({
        code,
        advice: expect.stringMatching(/^Read detail/),
      });
    }
  });

  describe('is looked for in the sources, where', () => {
    it.each([
      [`throw invalidValue('name', 'needs no verb of the list');`, ['needs no verb of the list']],
      [`throw invalidValue(path, odd ? 'One.' : \`Two \${n} three.\`);`, ['One.', 'Two {} three.']],
      [`const detail = 'Said elsewhere.'; next(new Problem('x', detail, {}));`, ['Said elsewhere.']],
      [`errors.name = [\`must have \${n} parts\`];`, ['must have {} parts']],
      [`const rule = because('file.closed', 'It is shut.');`, ['It is shut.']],
      [`return { description: 'must be sent', fault: 'is odd' };`, ['is odd']],
      [`throw new Error('must not happen'); log.info({}, 'is over'); f('Some text'); f('x is null');`, []],
    ])('%s', (source, expected) => {
      expect(sentencesIn(source)).toEqual(expected);
    });
  });
});
