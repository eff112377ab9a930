/** What this folder needs of a logger; pino's fits. */
export interface IdentityLog {
  warn(fields: object, message: string): void;
}

export const SILENT: IdentityLog = { warn: () => undefined };
