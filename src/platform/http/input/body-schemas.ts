import { type ReferenceObject, type SchemaObject } from '@nestjs/swagger';

export type Schema = SchemaObject | ReferenceObject;

/** What the OpenAPI document declares about requests. Implemented by OpenApiDocument. */
export abstract class BodySchemas {
  /** Names of the operation's query parameters. */
  abstract parametersOf(operation: string): ReadonlySet<string>;

  /** @returns the schema of the operation's body, and all named schemas of the document, which it can reference */
  abstract ofBody(operation: string): { schema: Schema; named: Readonly<Record<string, Schema>> };
}
