import { Injectable } from '@nestjs/common';
import { singlePart } from '../../../common/text-parts.js';
import { nameKey } from '../../../common/text.js';
import { wordsOf } from '../../../common/words.js';
import { type TenantTransaction } from '../../../platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { FilesReader } from '../../files/files.reader.js';
import {
  DEFAULT_SUGGESTIONS,
  type ListSuggestionsQuery,
  SUGGESTION_KINDS,
  type SuggestionKind,
  type SuggestionResponse,
  type SuggestionsResponse,
} from './suggestions.dto.js';
import {
  type FoundWord,
  SHORT,
  SuggestionsRepository,
  type TitledDocument,
} from './suggestions.repository.js';
import { beginningsOf, beginsWith, writtenForm } from './written-words.js';

type Groups = Readonly<Record<SuggestionKind, readonly SuggestionResponse[]>>;

/** If the newest documents have so many matching titles, the words are too frequent to search all titles in time. */
const ENOUGH = 5;
/** Words as in the lexicon: letters only. */
const LETTERS = /^\p{L}{4,40}$/u;

@Injectable()
export class SuggestionsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly suggestions: SuggestionsRepository,
    private readonly files: FilesReader,
  ) {}

  list(caller: Caller, { q, limit }: ListSuggestionsQuery): Promise<SuggestionsResponse> {
    const most = limit ?? DEFAULT_SUGGESTIONS;
    const find = async (tx: TenantTransaction) => ({
      items: share(await this.find(tx, caller, q, most), most),
    });
    return this.uow.read(caller, find, { fromReplica: true });
  }

  private async find(
    tx: TenantTransaction,
    caller: Caller,
    q: string | undefined,
    most: number,
  ): Promise<Groups> {
    // Without `q`, too: the database checks the rights of the caller with the first query.
    const newest = await this.suggestions.newest(tx, caller);
    if (q === undefined) return { Document: [], Word: [], Tag: [], File: [] };
    const keys = [...wordsOf(q)].map(({ key }) => key);
    const ids = newest.map(({ id }) => id);
    const tags = caller.has('tags.read') ? await this.suggestions.tags(tx, caller, ids, nameKey(q)) : [];
    const files = await this.files.suggest(tx, caller, q, most);
    const words = await this.words(tx, caller, keys, newest, most);
    return {
      Document: await this.documents(tx, caller, keys, newest, most, words.length >= most),
      Word: words,
      Tag: tags.map(({ id, name }) => ({ kind: 'Tag', text: name, id })),
      File: files.map(({ id, number, name }) => ({ kind: 'File', text: `${number} ${name}`, id })),
    };
  }

  /** @param isBroad whether many words have the beginning, so that an index search for it would take too long */
  private async documents(
    tx: TenantTransaction,
    caller: Caller,
    keys: readonly string[],
    newest: readonly TitledDocument[],
    most: number,
    isBroad: boolean,
  ): Promise<SuggestionResponse[]> {
    const matching = newest.filter(({ title }) => hasWords(title, keys));
    if (matching.length < Math.min(most, ENOUGH) && caller.has('files.read')) {
      const known = new Set(matching.map(({ id }) => id));
      const [complete, last] = [keys.slice(0, -1), keys.at(-1) ?? ''];
      // Without the beginning, too: `hasWords` checks it.
      const beginnings = isBroad || (complete.length > 0 && last.length < SHORT) ? [] : beginningsOf(last);
      const others = await this.suggestions.withWords(tx, caller, complete, beginnings);
      // The index also has the words of file names.
      matching.push(...others.filter(({ id, title }) => !known.has(id) && hasWords(title, keys)));
    }
    return matching.map(({ id, title }) => ({ kind: 'Document', text: title, id }));
  }

  /** Words for the last one of the query, as they are written: from the newest titles, then from texts. */
  private async words(
    tx: TenantTransaction,
    caller: Caller,
    keys: readonly string[],
    newest: readonly TitledDocument[],
    most: number,
  ): Promise<SuggestionResponse[]> {
    const typed = keys.at(-1) ?? '';
    const found = titleWords(newest, typed);
    const ids = newest.map(({ id }) => id);
    const fromLexicon = (beginning: string) => this.suggestions.words(tx, caller, beginning);
    const fromTexts = (beginning: string) => this.suggestions.wordsOf(tx, ids, beginning);
    // Of many words with a short beginning, the lexicon returns the first in alphabetical order, so the newest texts come
    // first.
    const sources = typed.length < SHORT ? [fromTexts, fromLexicon] : [fromLexicon];
    if (!sources.includes(fromTexts) && !caller.has('files.read')) sources.push(fromTexts);
    for (const beginning of beginningsOf(typed))
      for (const find of sources) {
        if (found.size >= most) break;
        const rows = await find(beginning);
        const others = rows.filter(({ word }) => !found.has(word) && LETTERS.test(word)).slice(0, most);
        for (const [word, text] of await this.written(tx, others))
          if (word.startsWith(typed) || beginsWith(text, typed)) found.set(word, text);
      }
    return [...found.values()].map((text) => ({ kind: 'Word', text }));
  }

  /** The words as their documents write them, by key; in key form if the first parts do not have them as one word. */
  private async written(tx: TenantTransaction, words: readonly FoundWord[]): Promise<Map<string, string>> {
    const texts = words.length === 0 ? [] : await this.suggestions.textsOf(tx, words);
    const forms = new Map(texts.map(({ word, text }) => [word, writtenForm(text, word)]));
    return new Map(words.map(({ word }) => [word, forms.get(word) ?? word]));
  }
}

/** Words of titles with a beginning, the most frequent first, by key. */
function titleWords(documents: readonly TitledDocument[], beginning: string): Map<string, string> {
  const found = new Map<string, { text: string; count: number }>();
  for (const { title } of documents)
    for (const { key, start, end } of wordsOf(title)) {
      const text = title.slice(start, end);
      if (!LETTERS.test(key) || !(key.startsWith(beginning) || beginsWith(text, beginning))) continue;
      const word = found.get(key);
      if (word) word.count += 1;
      else found.set(key, { text, count: 1 });
    }
  const sorted = [...found].sort(([, one], [, other]) => other.count - one.count);
  return new Map(sorted.map(([key, { text }]) => [key, text]));
}

/** Whether the title has all words, hyphenated ones also joined; the last one may be the beginning of a word. */
function hasWords(title: string, keys: readonly string[]): boolean {
  const { words } = singlePart(title);
  const last = keys.at(-1) ?? '';
  const isBeginning =
    words.some((word) => word.startsWith(last)) ||
    [...wordsOf(title)].some(({ start, end }) => beginsWith(title.slice(start, end), last));
  return isBeginning && keys.slice(0, -1).every((key) => words.includes(key));
}

/** At most `most` suggestions, grouped by kind: each kind gets the same share, if it has as many. */
function share(groups: Groups, most: number): SuggestionResponse[] {
  const taken = new Map<SuggestionKind, number>();
  for (let left = most, place = 0; left > 0 && place < most; place += 1)
    for (const kind of SUGGESTION_KINDS) {
      if (left === 0 || groups[kind].length <= place) continue;
      taken.set(kind, place + 1);
      left -= 1;
    }
  return SUGGESTION_KINDS.flatMap((kind) => groups[kind].slice(0, taken.get(kind) ?? 0));
}
