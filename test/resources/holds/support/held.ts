import { type TestTenant } from '../../../support/tenant.js';

/** What a hold contains, directly or through a file, with all of it that must stay. */
export interface Held {
  readonly holdId: string;
  readonly itemId: string;
  readonly fileId: string | null;
  readonly documentId: string | null;
  /** Title, values and content. Null for a file. */
  readonly state: string | null;
  readonly isInBin: boolean;
}

const HELD = `
  SELECT h.id AS "holdId", i.file_id AS "itemId", i.file_id AS "fileId", NULL::uuid AS "documentId", NULL::text AS state,
         false AS "isInBin"
    FROM holds h JOIN hold_files i ON i.tenant_id = h.tenant_id AND i.hold_id = h.id
    JOIN files f ON f.tenant_id = h.tenant_id AND f.id = i.file_id
   WHERE h.tenant_id = $1 AND h.status = 'Active'
  UNION ALL
  SELECT x.hold_id, x.item_id, x.file_id, d.id,
         jsonb_build_array(d.title, d.fields, d.document_type_id, d.content_sha256, d.content_version)::text,
         d.status = 'Deleted'
    FROM (SELECT i.tenant_id, i.hold_id, i.document_id AS item_id, NULL::uuid AS file_id, i.document_id FROM hold_documents i
          UNION ALL
          SELECT i.tenant_id, i.hold_id, i.file_id, i.file_id, df.document_id
            FROM hold_files i JOIN document_files df ON df.tenant_id = i.tenant_id AND df.file_id = i.file_id) x
    JOIN holds h ON h.tenant_id = x.tenant_id AND h.id = x.hold_id AND h.status = 'Active'
    JOIN documents d ON d.tenant_id = x.tenant_id AND d.id = x.document_id
   WHERE x.tenant_id = $1`;

/** All that the active holds of the tenant contain. */
export function heldOf({ service, id }: TestTenant): Promise<Held[]> {
  return service.query<Held>(HELD, [id]);
}

/**
 * Returns what of `before` is gone, changed or moved to the bin. It may have left the bin.
 *
 * @param released `<hold id> <item id>` of items that were removed, `<hold id> null` of holds that were released
 */
export function lostOf(
  before: readonly Held[],
  after: readonly Held[],
  released: ReadonlySet<string>,
): Held[] {
  const keyOf = ({ isInBin: _, ...rest }: Held) => JSON.stringify(rest);
  const left = new Map(after.map((one) => [keyOf(one), one]));
  return before.filter((one) => {
    const { holdId, itemId } = one;
    if (released.has(`${holdId} null`) || released.has(`${holdId} ${itemId}`)) return false;
    const found = left.get(keyOf(one));
    return !found || (found.isInBin && !one.isInBin);
  });
}
