import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

type Document = Readonly<{ paths: Record<string, { post?: { parameters?: object[] } }> }>;

/** Source of `clients/typescript/schema.ts`, generated from the text of the OpenAPI document. */
export async function clientTypes(text: string): Promise<string> {
  const types = await openapiTS(text, {
    // Without this option, members with a default would be required in request bodies.
    defaultNonNullable: false,
    transform: ({ format }) => (format === 'binary' ? ts.factory.createTypeReferenceNode('Blob') : undefined),
  });
  const idempotent = Object.entries((JSON.parse(text) as Document).paths)
    .filter(([, { post }]) => JSON.stringify(post?.parameters ?? []).includes('Idempotency-Key'))
    .map(([path]) => `  ${JSON.stringify(path)},\n`);
  return `// Made by npm run client:types from the OpenAPI document that the service serves.

/** Paths whose POST takes an Idempotency-Key. */
export const IDEMPOTENT_POSTS: ReadonlySet<string> = new Set([
${idempotent.join('')}]);

${astToString(types)}`;
}
