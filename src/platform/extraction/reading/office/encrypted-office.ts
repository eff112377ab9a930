import { type Source } from '../source.js';

const WORKBOOK_START = 0x0809;
const FILE_PASS = 0x002f;

/**
 * Whether a compound file is an encrypted doc ([MS-DOC] 2.5.2), xls ([MS-XLS] 2.4.117) or ppt ([MS-PPT] 2.1.6).
 *
 * @param entries name and position of each stream
 */
export async function isEncryptedOffice(
  entries: ReadonlyMap<string, number | null>,
  source: Source,
): Promise<boolean> {
  const startOf = async (...names: string[]): Promise<Buffer> => {
    const position = names.map((name) => entries.get(name)).find((found) => typeof found === 'number');
    return position === undefined ? Buffer.alloc(0) : source.read(position, 512);
  };
  if (entries.has('EncryptedSummary')) return true;
  const document = await startOf('WordDocument');
  if (document.length >= 12) return (document.readUInt16LE(10) & 0x0100) !== 0;
  const workbook = await startOf('Workbook', 'Book');
  return isEncryptedWorkbook(workbook);
}

/** The record that says so is among the first ones; its content is not encrypted. */
function isEncryptedWorkbook(records: Buffer): boolean {
  if (records.length < 4 || records.readUInt16LE(0) !== WORKBOOK_START) return false;
  for (let at = 0; at + 4 <= records.length; at += 4 + records.readUInt16LE(at + 2))
    if (records.readUInt16LE(at) === FILE_PASS) return true;
  return false;
}
