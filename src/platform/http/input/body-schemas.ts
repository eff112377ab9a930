import { type ReferenceObject, type SchemaObject } from '@nestjs/swagger';

export type Schema = SchemaObject | ReferenceObject;

/** The schemas of JSON bodies, as the OpenAPI document has them. The documentation provides them. */
export abstract class BodySchemas {
  /** @returns the schema of an operation's body, and all schemas that references in it lead to, by name */
  abstract ofBody(operation: string): { schema: Schema; named: Readonly<Record<string, Schema>> };
}
