import { ApiSchema } from '@nestjs/swagger';
import { BooleanField } from '../../platform/http/input/boolean-field.js';
import { NameField } from '../../platform/http/input/text-field.js';
import { UuidField, UuidListField } from '../../platform/http/input/uuid-field.js';
import { TITLE_EXAMPLE } from './document-response.dto.js';
import { type FieldValues } from './document.entity.js';
import { FieldValuesField } from './values/field-values-field.js';

/** Maximum number of files and of tags in one request. */
const MAX_LINKS_AT_CREATION = 100;

const VALUES =
  'Text, Date (`2026-11-20`), Enumeration (key of an option) and Reference (an id): a string. Number: a decimal string, ' +
  'or a JSON number with at most 15 significant digits. Money: an object with amount and currency. Null: no value.';

/**
 * Null counts as absent for optional members. The schema has another name, because code generators use
 * `CreateDocumentBody` for the whole multipart form.
 */
@ApiSchema({ name: 'NewDocument' })
export class CreateDocumentBody {
  @NameField({ example: TITLE_EXAMPLE })
  title!: string;

  @UuidField({ nullable: true, description: 'Type of the document' })
  documentTypeId?: string | null;

  @FieldValuesField(({ documentTypeId = null }: CreateDocumentBody) => documentTypeId === null, {
    description: `Values by field key of the document type. ${VALUES}`,
    example: {},
  })
  fields?: FieldValues | null;

  @UuidListField({ nullable: true, max: MAX_LINKS_AT_CREATION, description: 'Tags of the document' })
  tagIds?: string[] | null;

  @UuidListField({
    nullable: true,
    max: MAX_LINKS_AT_CREATION,
    description: 'Open files to file the document into',
  })
  fileIds?: string[] | null;

  @BooleanField({
    nullable: true,
    description:
      'Whether only users on the access list can see the document; the list starts with the creator',
  })
  isConfidential?: boolean | null;
}

/** Absent members stay unchanged. */
export class UpdateDocumentBody {
  @NameField({
    optional: true,
    description: 'Absent: the title stays unchanged. Null or an empty text is refused (400).',
    example: TITLE_EXAMPLE,
  })
  title?: string;

  @UuidField({
    nullable: true,
    description:
      'Absent: the type stays unchanged. Null: removes the type. A new type (or null) without `fields` keeps the values ' +
      'and is refused (400) if one of them is not valid for the new type.',
  })
  documentTypeId?: string | null;

  @FieldValuesField(({ documentTypeId }: UpdateDocumentBody) => documentTypeId === null, {
    description:
      `Values by field key of the document type. ${VALUES} Absent: the values stay unchanged. Otherwise replaces all ` +
      'values; a field that is missing has no value afterwards. Null or empty: removes all values.',
    example: {},
  })
  fields?: FieldValues | null;
}
