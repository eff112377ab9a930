import { FilingClient } from '../client/filing-client.js';
import { type Configuration } from '../config/configuration.js';
import { DEMO_PEOPLE } from '../identity/demo-people.js';
import { issueDemoToken } from '../identity/demo-token.js';
import { DEMO_TENANT } from './demo-content.js';

interface Listed {
  readonly items: readonly Record<string, unknown>[];
}

/** What examples of the documentation speak of, by kind: where it is listed, and the member that has its id. */
const EXAMPLES: Readonly<Record<string, { readonly list: string; readonly id?: string }>> = {
  file: { list: '/files?q=BAU-2026-0001' },
  target: { list: '/files?q=BAU-2026-0001' },
  fileType: { list: '/file-types' },
  documentType: { list: '/document-types' },
  document: { list: '/documents?q=Bauantrag' },
  tag: { list: '/tags' },
  role: { list: '/roles' },
  user: { list: '/members', id: 'userId' },
  subject: { list: '/members', id: 'userId' },
  grant: { list: '/access-grants' },
};

/**
 * Ids of the demo tenant's things by kind, for the examples of the documentation. What people have since removed from
 * it, or renamed, is left out.
 *
 * @param url where this instance listens
 */
export async function demoExamples(
  configuration: Configuration,
  url: string,
): Promise<Record<string, string>> {
  const person = DEMO_PEOPLE.find(({ roleKey }) => roleKey === 'administrator');
  if (!person) return {};
  const token = await issueDemoToken({ configuration, person });
  const client = new FilingClient({ url, tenant: DEMO_TENANT.slug, token: () => Promise.resolve(token) });
  const ids: Record<string, string> = {};
  for (const [kind, { list, id = 'id' }] of Object.entries(EXAMPLES)) {
    const { items } = await client.get<Listed>(list).catch((): Listed => ({ items: [] }));
    const found = items[0]?.[id];
    if (typeof found === 'string') ids[kind] = found;
  }
  return ids;
}
