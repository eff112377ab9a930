import { lookup } from 'mime-types';

interface OfficeFormat {
  /** Tells the converter which format to expect. */
  readonly extension: string;
  /** The format into which a file is converted to read its text, if the service cannot read the text itself. */
  readonly readAs?: string | undefined;
}

/** The extensions of every Office type that is detected from bytes, except drawings. */
const EXTENSIONS = [
  ...['doc', 'docx', 'docm', 'dotx', 'dotm', 'odt', 'ott', 'rtf'],
  ...['xls', 'xlsx', 'xlsm', 'xltx', 'xltm', 'ods', 'ots'],
  ...['ppt', 'pptx', 'pptm', 'potx', 'potm', 'ppsx', 'ppsm', 'odp', 'otp'],
];
/** Binary formats, which docx, xlsx and pptx have replaced. */
const BINARY = new Set(['doc', 'xls', 'ppt']);

const FORMATS: ReadonlyMap<string, OfficeFormat> = new Map(
  EXTENSIONS.map((extension) => [
    lookup(extension) || '',
    { extension, readAs: BINARY.has(extension) ? `${extension}x` : undefined },
  ]),
);

/** What the converter does with files of a media type; undefined if it does not convert them. */
export function officeFormat(mediaType: string): OfficeFormat | undefined {
  return FORMATS.get(mediaType);
}
