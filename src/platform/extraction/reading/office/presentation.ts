import { type TextOutput } from '../text-output.js';
import { readDrawingText } from './word-document.js';
import { type ZipContainer } from './zip-container.js';

const SLIDES = /^ppt\/slides\/slide\d+\.xml$/;

export function slideCount(zip: ZipContainer): number | null {
  return zip.matching(SLIDES).length || null;
}

/** Adds the text of an Office Open XML presentation (ECMA-376): each slide as a page, then a page with all notes. */
export async function readPresentation(zip: ZipContainer, output: TextOutput): Promise<void> {
  for (const [index, part] of zip.matching(SLIDES).entries()) {
    if (output.full) return;
    if (index > 0) output.newPage();
    await readDrawingText(zip, part, output);
  }
  for (const [index, part] of zip.matching(/^ppt\/notesSlides\/notesSlide\d+\.xml$/).entries()) {
    if (output.full) return;
    if (index === 0) output.newPage();
    await readDrawingText(zip, part, output);
    output.add('\n\n');
  }
}
