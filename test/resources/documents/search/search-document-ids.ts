import { expect } from '@jest/globals';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';

/** Searches page by page and returns the ids in order, or the paths of the errors when the answer is 400. */
export async function searchDocumentIds(
  actor: Actor,
  search: object,
  limit: number,
  pages = Infinity,
): Promise<string[] | { errorPaths: string[] }> {
  const ids: string[] = [];
  for (let cursor: string | null = null; ;) {
    const response = await actor.post('/documents/search', { ...search, limit, cursor });
    if (response.status === 400) {
      const { errors } = response.body as { errors: Record<string, string[]> };
      expectProblem(response, 'request.invalid');
      return { errorPaths: Object.keys(errors).map((path) => path.replace(/^filter\./, '')) };
    }
    expect(response.status).toBe(200);
    const page = response.body as { items: { id: string }[]; nextCursor: string | null };
    ids.push(...page.items.map(({ id }) => id));
    if (page.nextCursor === null) return ids;
    expect(page.items).toHaveLength(limit);
    if (ids.length === limit * pages) return ids;
    cursor = page.nextCursor;
  }
}
