/**
 * The result of `work`, or a rejection after the time limit. `work` itself continues.
 *
 * @param onLimit called when the limit is exceeded
 */
export async function withTimeLimit<T>(
  work: Promise<T>,
  limitMs: number,
  onLimit: () => void = () => undefined,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      onLimit();
      reject(Object.assign(new Error('The database does not answer'), { code: 'ETIMEDOUT' }));
    }, limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
