import { type TextOutput } from '../text-output.js';
import { readDrawingText } from './drawing-text.js';
import { relatedParts } from './relationships.js';
import { type ZipContainer } from './zip-container.js';

const SLIDES = /^ppt\/slides\/slide\d+\.xml$/;

export function slideCount(zip: ZipContainer): number | null {
  return zip.matching(SLIDES).length || null;
}

/** Types of parts that belong to a slide. */
const OF_SLIDE = ['diagramData', 'chart', 'chartEx', 'comments'];

/**
 * Adds the text of an Office Open XML presentation (ECMA-376): each slide as a page, with its SmartArt, charts and
 * comments, then a page with all notes.
 */
export async function readPresentation(zip: ZipContainer, output: TextOutput): Promise<void> {
  for (const [index, part] of zip.matching(SLIDES).entries()) {
    if (output.full) return;
    if (index > 0) output.newPage();
    for (const piece of [part, ...(await relatedParts(zip, part, OF_SLIDE))]) {
      await readDrawingText(zip, piece, output);
      output.add('\n');
    }
  }
  for (const [index, part] of zip.matching(/^ppt\/notesSlides\/notesSlide\d+\.xml$/).entries()) {
    if (output.full) return;
    if (index === 0) output.newPage();
    await readDrawingText(zip, part, output);
    output.add('\n\n');
  }
}
