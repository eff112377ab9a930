import { RENDERER_VERSION } from '../../src/platform/extraction/previewer.js';
import { type TestTenant } from '../support/tenant.js';

interface StoredPreview {
  /** Default: 1. */
  readonly version?: number;
  readonly page?: number;
  readonly width?: number;
  /** Null: the page cannot be rendered. */
  readonly image?: Buffer | null;
  /** How long ago it was rendered, as an interval of PostgreSQL. */
  readonly age?: string;
  readonly renderer?: number;
  readonly isLegible?: boolean;
}

/** Inserts a preview of a document. */
export async function savePreview(
  { service, id }: TestTenant,
  documentId: string,
  {
    version = 1,
    page = 1,
    width = 400,
    image = Buffer.from('image'),
    age = '0',
    renderer = RENDERER_VERSION,
    isLegible = true,
  }: StoredPreview = {},
): Promise<void> {
  await service.query(
    `INSERT INTO document_previews (tenant_id, document_id, version, page, width, renderer, image, created_at, is_legible)
     VALUES ($1, $2, $8, $3, $4, $5, $6, now() - $7::interval, $9)`,
    [id, documentId, page, width, renderer, image, age, version, isLegible],
  );
}
