import { ApiSchema } from '@nestjs/swagger';
import { BooleanField } from '../../platform/http/input/boolean-field.js';
import { NameField } from '../../platform/http/input/text-field.js';
import { UuidField, UuidListField } from '../../platform/http/input/uuid-field.js';
import { TITLE_EXAMPLE } from './document-response.dto.js';
import { type FieldValues } from './document.entity.js';
import { FieldValuesField } from './values/field-values-field.js';

/** Files or tags that one request can name. */
const MAX_LINKS = 100;

const VALUES =
  'Text, Date (`2026-11-20`), Enumeration (the key of an option) and Reference (an id) take a string; Number a decimal ' +
  'string, or a number of at most 15 significant digits; Money an object with amount and currency. Null is no value.';

/**
 * An optional member that is null counts as absent. Generators call the whole form `CreateDocumentBody`, so the schema
 * has another name.
 */
@ApiSchema({ name: 'NewDocument' })
export class CreateDocumentBody {
  @NameField({ example: TITLE_EXAMPLE })
  title!: string;

  @UuidField({ optional: true, nullable: true, description: 'Type of the document' })
  documentTypeId?: string | null;

  @FieldValuesField(({ documentTypeId = null }: CreateDocumentBody) => documentTypeId === null, {
    description: `Values by field key of the document type. ${VALUES}`,
    example: {},
  })
  fields?: FieldValues | null;

  @UuidListField({ optional: true, nullable: true, max: MAX_LINKS, description: 'Tags to put on it' })
  tagIds?: string[] | null;

  @UuidListField({
    optional: true,
    nullable: true,
    max: MAX_LINKS,
    description: 'Open files to file it into',
  })
  fileIds?: string[] | null;

  @BooleanField({
    optional: true,
    nullable: true,
    description: 'Only its creator sees it, until others are put on its list',
  })
  isConfidential?: boolean | null;
}

/** An absent member keeps what the document has. */
export class UpdateDocumentBody {
  @NameField({
    optional: true,
    description: 'Absent: the title stays as it is. Null and an empty text are refused (400).',
    example: TITLE_EXAMPLE,
  })
  title?: string;

  @UuidField({
    optional: true,
    nullable: true,
    description:
      'Absent: the type stays as it is. Null: the document has no type afterwards. A change of the type, also to null, ' +
      'without `fields` keeps the values, and is refused (400) if one of them does not fit the new type.',
  })
  documentTypeId?: string | null;

  @FieldValuesField(({ documentTypeId }: UpdateDocumentBody) => documentTypeId === null, {
    description:
      `Values by field key of the document type. ${VALUES} Absent: the values stay as they are. Given: they replace ` +
      'all values; a field that is left out has none afterwards. Null or empty: the document has no values afterwards.',
    example: {},
  })
  fields?: FieldValues | null;
}
