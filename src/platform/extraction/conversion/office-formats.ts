interface OfficeFormat {
  /** Tells the converter which format to expect. */
  readonly extension: string;
  /** The format into which a file is converted to read its text, if the service cannot read the text itself. */
  readonly readAs?: { readonly extension: string; readonly mediaType: string };
}

const OPEN_XML = 'application/vnd.openxmlformats-officedocument';
const DOCX = { extension: 'docx', mediaType: `${OPEN_XML}.wordprocessingml.document` };
const XLSX = { extension: 'xlsx', mediaType: `${OPEN_XML}.spreadsheetml.sheet` };
const PPTX = { extension: 'pptx', mediaType: `${OPEN_XML}.presentationml.presentation` };

const FORMATS: ReadonlyMap<string, OfficeFormat> = new Map<string, OfficeFormat>([
  ['application/msword', { extension: 'doc', readAs: DOCX }],
  ['application/vnd.ms-excel', { extension: 'xls', readAs: XLSX }],
  ['application/vnd.ms-powerpoint', { extension: 'ppt', readAs: PPTX }],
  ...[DOCX, XLSX, PPTX].map(({ extension, mediaType }) => [mediaType, { extension }] as const),
  ['application/vnd.oasis.opendocument.text', { extension: 'odt' }],
  ['application/vnd.oasis.opendocument.spreadsheet', { extension: 'ods' }],
  ['application/vnd.oasis.opendocument.presentation', { extension: 'odp' }],
  ['application/vnd.ms-word.document.macroenabled.12', { extension: 'docm' }],
  ['application/vnd.ms-excel.sheet.macroenabled.12', { extension: 'xlsm' }],
  ['application/vnd.ms-powerpoint.presentation.macroenabled.12', { extension: 'pptm' }],
  ['application/rtf', { extension: 'rtf' }],
]);

/** What the converter does with files of a media type; undefined if it does not convert them. */
export function officeFormat(mediaType: string): OfficeFormat | undefined {
  return FORMATS.get(mediaType);
}
