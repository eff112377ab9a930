import { type TextOutput } from '../text-output.js';
import { parseXml } from '../markup.js';
import { readDrawingText } from './open-xml.js';
import { type ZipContainer } from './zip-container.js';

/** Ids of the built-in number formats for dates (ECMA-376, part 1, 18.8.30). */
const DATE_FORMATS = new Set([
  14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58,
]);
const DAY_MS = 86_400_000;

/** Adds the text of an Office Open XML workbook (ECMA-376): one line per row, tabs after cells, dates as YYYY-MM-DD. */
export async function readWorkbook(zip: ZipContainer, output: TextOutput): Promise<void> {
  const { names, date1904 } = await readSheetNames(zip);
  for (const name of names) output.add(`${name}\n`);
  const strings = await readSharedStrings(zip, output);
  const dateStyles = await readDateStyles(zip);
  const epoch = date1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30);
  for (const sheet of zip.matching(/^xl\/worksheets\/sheet\d+\.xml$/)) {
    if (output.full) return;
    output.add('\n');
    await readSheet(zip, sheet, output, (type, style, value) => {
      if (type === 's') return strings[Number(value)] ?? '';
      if (type !== 'n') return value;
      return cellNumber(value, dateStyles.has(style) ? epoch : null);
    });
  }
  for (const part of [
    ...zip.matching(/^xl\/comments\d*\.xml$/),
    ...zip.matching(/^xl\/drawings\/drawing\d+\.xml$/),
    ...zip.matching(/^xl\/(?:charts\/chart(?:Ex)?|diagrams\/data)\d*\.xml$/),
  ]) {
    if (output.full) return;
    await readDrawingText(zip, part, output);
    output.add('\n');
  }
}

/** A number as displayed, without its number format: rounded to 15 digits, dates as YYYY-MM-DD. */
function cellNumber(value: string, epoch: number | null): string {
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number)) return value;
  if (epoch !== null && number >= 1 && number < 2_958_466)
    return new Date(epoch + Math.floor(number) * DAY_MS).toISOString().slice(0, 10);
  return String(Number(number.toPrecision(15)));
}

async function readSheetNames(zip: ZipContainer): Promise<{ names: string[]; date1904: boolean }> {
  const names: string[] = [];
  let date1904 = false;
  await parseXml(zip.read('xl/workbook.xml'), {
    open(element, { name, date1904: flag }) {
      if (element === 'sheet' && name) names.push(name);
      if (element === 'workbookPr' && (flag === '1' || flag === 'true')) date1904 = true;
    },
  });
  return { names, date1904 };
}

/** Texts to which cells refer by index. Stops at four times the text limit, because more text is not used. */
async function readSharedStrings(zip: ZipContainer, output: TextOutput): Promise<string[]> {
  const strings: string[] = [];
  let current = '';
  let inText = false;
  let phonetic = false;
  let length = 0;
  await parseXml(zip.read('xl/sharedStrings.xml'), {
    open(name) {
      if (name === 'si') current = '';
      else if (name === 't') inText = true;
      else if (name === 'rPh') phonetic = true;
    },
    text(text) {
      if (!inText || phonetic) return;
      current += text;
      length += text.length;
    },
    close(name) {
      if (name === 'si') strings.push(current);
      else if (name === 't') inText = false;
      else if (name === 'rPh') phonetic = false;
    },
    get done() {
      return length > 4 * output.limit;
    },
  });
  return strings;
}

/** Indexes of the cell styles that show a number as a date. */
async function readDateStyles(zip: ZipContainer): Promise<Set<number>> {
  const formats = new Set(DATE_FORMATS);
  const styles = new Set<number>();
  let inCellStyles = false;
  let index = 0;
  await parseXml(zip.read('xl/styles.xml'), {
    open(name, attributes) {
      if (name === 'numFmt') {
        // A date format has y or d outside of quotes, brackets and escapes.
        const code = (attributes.formatCode ?? '').replace(/"[^"]*"|\[[^\]]*\]|\\./g, '');
        if (/[yd]/i.test(code)) formats.add(Number(attributes.numFmtId));
      } else if (name === 'cellXfs') inCellStyles = true;
      else if (name === 'xf' && inCellStyles) {
        if (formats.has(Number(attributes.numFmtId))) styles.add(index);
        index += 1;
      }
    },
    close(name) {
      if (name === 'cellXfs') inCellStyles = false;
    },
  });
  return styles;
}

async function readSheet(
  zip: ZipContainer,
  part: string,
  output: TextOutput,
  show: (type: string, style: number, value: string) => string,
): Promise<void> {
  let type = 'n';
  let style = 0;
  let value = '';
  let inValue = false;
  await parseXml(zip.read(part), {
    open(name, attributes) {
      if (name === 'c') {
        type = attributes.t ?? 'n';
        style = Number(attributes.s ?? 0);
        value = '';
      } else if (name === 'v' || name === 't') inValue = true;
    },
    text(text) {
      if (inValue) value += text;
    },
    close(name) {
      if (name === 'v' || name === 't') inValue = false;
      else if (name === 'c' && value !== '') {
        output.add(show(type, style, value));
        output.add('\t');
      } else if (name === 'row') output.add('\n');
    },
    get done() {
      return output.full;
    },
  });
}
