import { Injectable } from '@nestjs/common';
import { LETTERS_WITH_BASE } from '../../../common/text.js';
import { wordsOf } from '../../../common/words.js';
import { documentVector } from '../../../platform/database/schema/document-vector.js';
import {
  type TenantTransaction,
  type WriteTransaction,
} from '../../../platform/database/transactions/tenant-transaction.js';
import { beforeTextChange } from './word-changes.repository.js';

/** Number of parts that one query checks for letters to fold. */
const CHECKED = 500;

/** A part of a text of a document. */
export interface PartKey {
  readonly id: string;
  readonly part: number;
}

/** The words of a part with their positions, such as `1A,7A`. */
type PartWords = PartKey & { readonly words: Readonly<Record<string, string>> | null };

@Injectable()
export class TextFoldingsRepository {
  /** The next parts in the order of the work, the newest document first. */
  async next(tx: TenantTransaction): Promise<(PartKey & { readonly hasLetter: boolean })[]> {
    const [done] = await tx.query<PartKey>(
      'SELECT f.before_id AS id, f.part FROM text_foldings f WHERE f.tenant_id = $1',
      [tx.tenantId],
    );
    if (!done) return [];
    return tx.query(
      `SELECT p.id, p.part, p.words COLLATE "C" ~ $4 AS "hasLetter"
         FROM (SELECT t.document_id AS id, t.part, strip(t.vector)::text AS words FROM document_texts t
                WHERE t.tenant_id = $1 AND (t.document_id, t.part) < ($2::uuid, $3::integer)
                ORDER BY t.document_id DESC, t.part DESC LIMIT ${CHECKED} OFFSET 0) p
        ORDER BY p.id DESC, p.part DESC`,
      [tx.tenantId, done.id, done.part, LETTERS_WITH_BASE],
    );
  }

  /** Folds the words of these parts. Locks their documents first, as all changes of texts do. */
  async fold(tx: WriteTransaction, parts: readonly PartKey[]): Promise<void> {
    if (parts.length === 0) return;
    const ids = parts.map(({ id }) => id);
    await tx.query(
      'SELECT FROM documents d WHERE d.tenant_id = $1 AND d.id = ANY ($2::uuid[]) ORDER BY d.id FOR SHARE',
      [tx.tenantId, ids],
    );
    const rows = await tx.query<PartWords>(
      `SELECT t.document_id AS id, t.part,
              (SELECT jsonb_object_agg(u.lexeme, (
                        SELECT string_agg(p.place || 'A', ',' ORDER BY p.place)
                          FROM unnest(u.positions, u.weights) AS p (place, weight) WHERE p.weight = 'A'))
                 FROM unnest(t.vector) u WHERE 'A' = ANY (u.weights)) AS words
         FROM document_texts t JOIN unnest($2::uuid[], $3::integer[]) AS n (id, part)
           ON t.document_id = n.id AND t.part = n.part
        WHERE t.tenant_id = $1`,
      [tx.tenantId, ids, parts.map(({ part }) => part)],
    );
    await tx.queryAll(
      rows.flatMap(({ id, part, words }) => [
        ...beforeTextChange(tx, id, [part, part]),
        {
          text: `UPDATE document_texts SET vector = ${documentVector('$4::text[]', '$5::text[]')}
                  WHERE tenant_id = $1 AND document_id = $2 AND part = $3`,
          values: [tx.tenantId, id, part, Object.keys(words ?? {}).map(folded), Object.values(words ?? {})],
        },
      ]),
    );
    tx.enqueue('UpdateLexicon', {});
  }

  async setDone(tx: TenantTransaction, { id, part }: PartKey): Promise<void> {
    await tx.query('UPDATE text_foldings SET before_id = $2, part = $3 WHERE tenant_id = $1', [
      tx.tenantId,
      id,
      part,
    ]);
  }

  async end(tx: TenantTransaction): Promise<void> {
    await tx.query('DELETE FROM text_foldings WHERE tenant_id = $1', [tx.tenantId]);
  }
}

/** The key of a word that was a key by the former rule. */
function folded(word: string): string {
  const [found] = wordsOf(word);
  return found?.key ?? word;
}
