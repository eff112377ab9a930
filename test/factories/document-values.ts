import { type Actor } from '../support/actor.js';

/** Creates a document with field values through the API. */
export async function createDocument(
  actor: Actor,
  documentTypeId: string | null,
  fields: Record<string, unknown> = {},
  rest: object = {},
): Promise<{ id: string; fields: Record<string, unknown> }> {
  const response = await actor.post('/documents', { title: 'Dokument', documentTypeId, fields, ...rest });
  if (response.status !== 201) throw new Error(`The document was not created: ${response.text}`);
  return response.body as { id: string; fields: Record<string, unknown> };
}
