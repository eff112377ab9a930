import path from 'node:path';
import { parseXml } from '../xml-text.js';
import { type ZipContainer } from './zip-container.js';

/**
 * The parts to which a part refers (ECMA-376, part 2, 9.3), in the order of the file.
 *
 * @param types the ends of the relationship types
 */
export async function relatedParts(
  zip: ZipContainer,
  part: string,
  types: readonly string[],
): Promise<string[]> {
  const { dir, base } = path.posix.parse(part);
  const parts: string[] = [];
  await parseXml(zip.read(`${dir}/_rels/${base}.rels`), {
    open(_, { Type: type = '', Target: target, TargetMode: mode }) {
      if (target === undefined || mode === 'External' || !types.includes(type.replace(/^.*\//, ''))) return;
      parts.push(target.startsWith('/') ? target.slice(1) : path.posix.join(dir, target));
    },
  });
  return parts.filter((name) => zip.has(name));
}
