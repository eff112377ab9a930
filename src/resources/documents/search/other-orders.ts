import { type DocumentOrder } from './document-order.js';
import {
  ALL_REACHED,
  FEW_ROWS,
  MAX_LEAD_ROWS,
  NEWEST_LIMIT,
  NEWEST_REACHED,
  type SearchPlan,
  type Term,
  isEstimated,
  isTextTerm,
} from './search-terms.js';

/**
 * The plan for a list by the values of a field if its rarest term, or the reach of the caller, does not have very many
 * documents; null if a counted term has few, or if {@link plansFor} and {@link plansForText} are better.
 *
 * @param counts see {@link plansFor}, but estimates for all terms with at least {@link FEW_ROWS} rows
 */
export function planByValue(
  terms: readonly Term[],
  counts: readonly (number | null)[],
  reach: number | null,
): SearchPlan | null {
  const rowsOf = (term: Term) => counts[terms.indexOf(term)] ?? Infinity;
  const explicit = terms.filter(({ isImplied }) => !isImplied);
  const [rarest] = explicit.toSorted((one, other) => rowsOf(one) - rowsOf(other) || one.rank - other.rank);
  const rows = rarest ? rowsOf(rarest) : Infinity;
  // Counts below this are exact, but estimates, above all for prefixes of words, can be too small.
  const few = Math.min(FEW_ROWS, reach ?? FEW_ROWS, rows + 1);
  if (terms.some((term) => !isEstimated(term) && rowsOf(term) < few)) return null;
  const plan = { joined: [], newestOf: null, isByValue: true };
  if (reach !== null && reach < NEWEST_LIMIT)
    // Few of these documents may match the terms, so that most values would be read.
    return explicit.length === 0 ? { ...plan, lead: ALL_REACHED, probed: [] } : null;
  if (!rarest || rows >= (isTextTerm(rarest) ? MAX_LEAD_ROWS : NEWEST_LIMIT)) return null;
  return { ...plan, lead: rarest, probed: explicit.filter((term) => term !== rarest) };
}

/**
 * Adapts a plan to a list that is not sorted by creation time. Only `documents` and the values have indexes in such an
 * order, so these are read in the order of the list and checked against the terms. Of several options, each has its own
 * order, so their newest documents are not the first ones of the list, and all are searched.
 */
export function forOtherOrder(plan: SearchPlan, { values }: DocumentOrder): SearchPlan {
  const { newestOf, joined, probed } = plan;
  const isNewestReached = plan.lead !== null && 'reached' in plan.lead && plan.lead.reached === 'newest';
  const all = newestOf === null || newestOf === 'all' ? probed : [newestOf, ...probed];
  const other = {
    ...plan,
    joined: joined.flatMap(({ parts: _, ...term }) => (term.isImplied ? [] : { ...term, isOrdered: false })),
    probed: all.filter(({ isImplied }) => !isImplied),
    newestOf: null,
  };
  if (newestOf === null && !isNewestReached) return other;
  if (!values) return { ...other, lead: null, newestOf: 'all' };
  if (!values.options) return { ...other, lead: NEWEST_REACHED };
  return { ...other, lead: isNewestReached ? ALL_REACHED : null };
}
