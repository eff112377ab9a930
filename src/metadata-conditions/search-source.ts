import { type TenantTransaction } from '../database/tenant-transaction.js';
import { type Bind, Values } from '../tenancy/visibility.js';
import { type Position } from '../http/cursor-codec.js';
import { valueSql } from './condition-sql.js';
import { type ConditionOperator, type ConditionPart, type ResolvedCondition } from './metadata-condition.js';

/** The rows that a search looks through, newest document first. */
export interface SearchSource {
  /** What stands after FROM: `d` is a row of `documents_search`. `$1` of the statement is the tenant. */
  from(bind: Bind, after: Position | null): string;
  /** The sort key, to be ordered by descending and compared with the cursor: created at, id. */
  readonly sortKey: readonly [string, string];
  /** The conditions that the rows have yet to be asked; the others they meet. */
  readonly remaining: readonly ResolvedCondition[];
}

export interface SourceOptions {
  /** Whether the search has other conditions (words, tags, a file) that an index could lead it by. */
  readonly hasOtherFilters: boolean;
  /** How many documents are so few that it is best to look at all of them. */
  readonly few?: number;
}

interface Candidate {
  readonly condition: ResolvedCondition;
  readonly part: ConditionPart;
  readonly operator: ConditionOperator;
}

const FEW = 10_000;

const BY_VALUE: SearchSource['sortKey'] = ['s.created_at', 's.document_id'];

/**
 * Where to begin: at the values that meet one of the conditions, if they are few; otherwise at the newest document,
 * or, when an index has the values of the condition in that order, at the newest that meets it. PostgreSQL would
 * choose among the same ways by statistics, but those are over all fields and tenants together: it took a condition
 * that nothing met for a common one, and walked a million documents (docs/adr/0012). Counting a few is cheap.
 *
 * A condition that the search begins at must not be asked again: PostgreSQL would take the two for independent.
 */
export async function chooseSource(
  tx: TenantTransaction,
  conditions: readonly ResolvedCondition[],
  { hasOtherFilters, few = FEW }: SourceOptions,
): Promise<SearchSource> {
  const newest: SearchSource = {
    from: () => 'documents_search d',
    sortKey: ['d.created_at', 'd.id'],
    remaining: conditions,
  };
  const candidates = conditions.flatMap(candidatesOf);
  if (candidates.length === 0) return newest;
  const without = (lead: Candidate) => conditions.filter((condition) => condition !== lead.condition);
  const counts = await count(tx, candidates, few);
  const fewest = Math.min(...counts);
  const best = candidates[counts.indexOf(fewest)];
  if (best && fewest <= few) return amongHits(best, without(best));
  const isOnlyLead = !hasOtherFilters && !conditions.some(mayLeadElsewhere);
  const ordered = isOnlyLead ? candidates.find(isInOrder) : undefined;
  return ordered ? inOrder(ordered, without(ordered)) : newest;
}

/** Conditions whose matching values an index finds one after the other, so that counting can stop. */
function candidatesOf(condition: ResolvedCondition): Candidate[] {
  const { operator, parts } = condition;
  const [part, ...more] = parts;
  if (!part || more.length > 0 || ['NotEqualTo', 'IsEmpty', 'Contains'].includes(operator)) return [];
  return [{ condition, part, operator }];
}

/** Others by which PostgreSQL may find a shorter way than ours. */
function mayLeadElsewhere({ operator, parts }: ResolvedCondition): boolean {
  return operator === 'Contains' || (parts.length > 1 && !['NotEqualTo', 'IsEmpty'].includes(operator));
}

/** One field, one value: the index goes on by the age of the document. */
function isInOrder({ part, operator }: Candidate): boolean {
  return operator === 'EqualTo' && part.fieldIds.length === 1;
}

/** How many values meet each, counted up to one more than `few`. */
async function count(
  tx: TenantTransaction,
  candidates: readonly Candidate[],
  few: number,
): Promise<number[]> {
  const values = new Values(tx.tenantId);
  const limit = values.bind(few + 1);
  const counts = candidates.map(
    ({ part, operator }, index) =>
      `(SELECT count(*) FROM (SELECT FROM document_values_search v
          WHERE v.tenant_id = $1 AND ${valueSql(part, operator, values.bind)} LIMIT ${limit}) hits) AS "${index}"`,
  );
  const [row] = await tx.query<Record<string, number>>(`SELECT ${counts.join(', ')}`, values.list, {
    planEachTime: true,
  });
  return candidates.map((_, index) => row?.[index] ?? 0);
}

/** OFFSET keeps PostgreSQL from beginning elsewhere after all. */
function amongHits({ part, operator }: Candidate, remaining: SearchSource['remaining']): SearchSource {
  return {
    from: (bind) => joined(`${hits(part, operator, bind)} OFFSET 0`),
    sortKey: BY_VALUE,
    remaining,
  };
}

function inOrder({ part, operator }: Candidate, remaining: SearchSource['remaining']): SearchSource {
  return {
    from: (bind, after) => {
      const before = after
        ? `AND (v.created_at, v.document_id) < (${bind(after[0])}::timestamptz, ${bind(after[1])}::uuid)`
        : '';
      return joined(`${hits(part, operator, bind)} ${before} ORDER BY v.created_at DESC, v.document_id DESC`);
    },
    sortKey: BY_VALUE,
    remaining,
  };
}

function hits(part: ConditionPart, operator: ConditionOperator, bind: Bind): string {
  return `SELECT v.document_id, v.created_at FROM document_values_search v
           WHERE v.tenant_id = $1 AND ${valueSql(part, operator, bind)}`;
}

function joined(subquery: string): string {
  return `(${subquery}) s JOIN documents_search d ON d.tenant_id = $1 AND d.id = s.document_id`;
}
