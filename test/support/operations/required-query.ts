/** The query parameter that an operation requires: `fileId=…`; empty for all others. `path` is its path in any form. */
export function requiredQuery(path: string, { fileId = '' }: { readonly fileId?: string }): string {
  return /\/members\/[^/]*\/access$/.test(path) ? `fileId=${fileId}` : '';
}
