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

const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument';

/** Every Office type that is detected from bytes, except drawings. */
const FORMATS: ReadonlyMap<string, OfficeFormat> = new Map<string, OfficeFormat>([
  ['application/msword', { extension: 'doc', readAs: DOCX }],
  ['application/vnd.ms-excel', { extension: 'xls', readAs: XLSX }],
  ['application/vnd.ms-powerpoint', { extension: 'ppt', readAs: PPTX }],
  ...[DOCX, XLSX, PPTX].map(({ extension, mediaType }) => [mediaType, { extension }] as const),
  [`${OPEN_XML}.wordprocessingml.template`, { extension: 'dotx' }],
  [`${OPEN_XML}.spreadsheetml.template`, { extension: 'xltx' }],
  [`${OPEN_XML}.presentationml.template`, { extension: 'potx' }],
  [`${OPEN_XML}.presentationml.slideshow`, { extension: 'ppsx' }],
  [`${OPEN_DOCUMENT}.text`, { extension: 'odt' }],
  [`${OPEN_DOCUMENT}.spreadsheet`, { extension: 'ods' }],
  [`${OPEN_DOCUMENT}.presentation`, { extension: 'odp' }],
  [`${OPEN_DOCUMENT}.text-template`, { extension: 'ott' }],
  [`${OPEN_DOCUMENT}.spreadsheet-template`, { extension: 'ots' }],
  [`${OPEN_DOCUMENT}.presentation-template`, { extension: 'otp' }],
  ['application/vnd.ms-word.document.macroenabled.12', { extension: 'docm' }],
  ['application/vnd.ms-word.template.macroenabled.12', { extension: 'dotm' }],
  ['application/vnd.ms-excel.sheet.macroenabled.12', { extension: 'xlsm' }],
  ['application/vnd.ms-excel.template.macroenabled.12', { extension: 'xltm' }],
  ['application/vnd.ms-powerpoint.presentation.macroenabled.12', { extension: 'pptm' }],
  ['application/vnd.ms-powerpoint.template.macroenabled.12', { extension: 'potm' }],
  ['application/vnd.ms-powerpoint.slideshow.macroenabled.12', { extension: 'ppsm' }],
  ['application/rtf', { extension: 'rtf' }],
]);

/** What the converter does with files of a media type; undefined if it does not convert them. */
export function officeFormat(mediaType: string): OfficeFormat | undefined {
  return FORMATS.get(mediaType);
}
