import { type OpenAPIObject } from '@nestjs/swagger';

/** Changes when the shape of a package changes in a way that its readers notice. */
export const PACKAGE_VERSION = 1;

/** The kinds of objects in the metadata of a package, with their schema in the OpenAPI document. */
export const METADATA_KINDS = {
  'file-types': 'FileType',
  files: 'File',
  'document-types': 'DocumentType',
  tags: 'Tag',
  documents: 'Document',
  versions: 'DocumentVersion',
  'audit-entries': 'AuditEntry',
} as const;

export type MetadataKind = keyof typeof METADATA_KINDS;

type Schema = Readonly<Record<string, unknown>>;

/** What a version in a package has besides the members of the API. */
const OF_DOCUMENT = {
  documentId: { type: 'string', format: 'uuid', description: 'The document' },
  path: { type: 'string', description: 'Path of the content in the package' },
};

/** The JSON Schema (2020-12) of one line of the metadata, from the schemas of the API. */
export function metadataSchema(kind: MetadataKind, { components }: OpenAPIObject): Schema {
  const all = (components?.schemas ?? {}) as Readonly<Record<string, Schema>>;
  const name = METADATA_KINDS[kind];
  const found: Record<string, unknown> = {};
  const open = [name as string];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next in found) continue;
    const text = JSON.stringify(all[next]);
    open.push(...[...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, other = '']) => other));
    found[next] = JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/'));
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:filing-service:package:${PACKAGE_VERSION}:${kind}`,
    title: `A line of ${kind}.ndjson`,
    $ref: `#/$defs/${name}`,
    ...(kind === 'versions' && { properties: OF_DOCUMENT, required: Object.keys(OF_DOCUMENT) }),
    $defs: found,
  };
}
