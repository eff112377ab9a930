import { service } from '../../../support/service/shared-service.js';

/** Ids of the users on the access list of a document, in ascending order. */
export async function listedUsers(documentId: string): Promise<string[]> {
  const rows = await service.query<{ user_id: string }>(
    'SELECT user_id FROM document_confidential_users WHERE document_id = $1 ORDER BY user_id',
    [documentId],
  );
  return rows.map(({ user_id }) => user_id);
}
