import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

type Document = Readonly<{ paths: Record<string, { post?: { parameters?: object[] } }> }>;

/** Source of `clients/typescript/schema.ts`, from the OpenAPI document as it is served. */
export async function clientTypes(text: string): Promise<string> {
  const types = await openapiTS(text, {
    // A default is what an absent value counts as: without the option a request would have to name it.
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
