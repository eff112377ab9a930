import { type CompoundFile } from '../compound-file.js';

const WORKBOOK_START = 0x0809;
const FILE_PASS = 0x002f;
/** The header token of an encrypted presentation ([MS-PPT] 2.3.2). */
const ENCRYPTED_PRESENTATION = 0xf3d1c4df;

/** Whether a compound file is an encrypted doc ([MS-DOC] 2.5.2), xls ([MS-XLS] 2.4.117) or ppt ([MS-PPT] 2.1.6). */
export async function isEncryptedOffice(file: CompoundFile): Promise<boolean> {
  if (file.has('EncryptedSummary')) return true;
  const document = await file.startOf('WordDocument');
  if (document.length >= 12) return (document.readUInt16LE(10) & 0x0100) !== 0;
  const user = await file.startOf('Current User');
  if (user.length >= 16 && user.readUInt32LE(12) === ENCRYPTED_PRESENTATION) return true;
  return isEncryptedWorkbook(await file.startOf(file.has('Workbook') ? 'Workbook' : 'Book'));
}

/** The record that says so is among the first ones; its content is not encrypted. */
function isEncryptedWorkbook(records: Buffer): boolean {
  if (records.length < 4 || records.readUInt16LE(0) !== WORKBOOK_START) return false;
  for (let at = 0; at + 4 <= records.length; at += 4 + records.readUInt16LE(at + 2))
    if (records.readUInt16LE(at) === FILE_PASS) return true;
  return false;
}
