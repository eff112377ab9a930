import { Injectable } from '@nestjs/common';
import { SqlParameters } from '../../../platform/database/sql-parameters.js';
import { type Statement } from '../../../platform/database/transactions/tenant-batch.js';
import { isCompoundOf } from './compounds.js';

/** Maximum number of compounds for one word of a query. */
const MAX_COMPOUNDS = 100;
/** Words that are read to choose the compounds from, and those among which the shortest are chosen. */
const READ_WORDS = 300;
const CANDIDATES = 2000;

export interface WordWithPart {
  readonly part: string;
  readonly word: string;
}

/** Finds words of the lexicon (docs/adr/0044). Words without a document are ignored. */
@Injectable()
export class LexiconReader {
  /** Returns the statement for words that contain the parts, shortest first; see {@link compoundsOf}. */
  compoundsStatement(tenantId: string, parts: readonly string[]): Statement {
    const values = new SqlParameters(tenantId);
    const searches = parts.map((part) => {
      const bound = values.bind(part);
      // Parts have letters only, which LIKE takes literally.
      return `(SELECT ${bound}::text AS part, c.word
                 FROM (SELECT w.word FROM document_words_search w
                        WHERE w.tenant_id = $1 AND w.word LIKE '%' || ${bound}::text || '%' AND w.document_id IS NOT NULL
                        LIMIT ${CANDIDATES}) c
                ORDER BY length(c.word), c.word LIMIT ${READ_WORDS})`;
    });
    return { text: searches.join(' UNION ALL '), values: values.list, planEachTime: true };
  }

  /** @param rows of {@link compoundsStatement} */
  compoundsOf(part: string, rows: readonly WordWithPart[]): string[] {
    const words = rows.filter((row) => row.part === part).map(({ word }) => word);
    return words.filter((word) => isCompoundOf(word, part)).slice(0, MAX_COMPOUNDS);
  }
}
