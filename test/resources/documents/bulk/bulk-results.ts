interface Result {
  readonly documentId: string;
  readonly outcome: 'Done' | 'Unchanged' | 'Refused';
  readonly problem: { readonly type: string } | null;
}

export function resultsOf({ body }: { body: unknown }): Result[] {
  return (body as { results: Result[] }).results;
}

export function doneResult(documentId: string): Result {
  return { documentId, outcome: 'Done', problem: null };
}
