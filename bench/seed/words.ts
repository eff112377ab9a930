import type pg from 'pg';
import { singlePart } from '../../src/common/text-parts.js';
import { documentVector } from '../../src/platform/database/schema/document-vector.js';
import { fileSearchKeys } from '../../src/resources/files/file-search.js';

const WORDS =
  `Abwasser Akte Allee Amtsgericht Antrag Aufsicht Ausbau Bahnhof Baugenehmigung Bebauungsplan Bescheid
Brandschutz Brücke Bürgerbüro Denkmal Deponie Einspruch Energie Erweiterung Fassade Feuerwache Flurstück Förderung
Friedhof Garten Gebäude Gehweg Gewässer Grundstück Gutachten Hafen Halle Haushalt Heizung Instandsetzung Jugendhaus
Kanal Kataster Kindergarten Klage Kläranlage Kreisverkehr Lageplan Lärmschutz Leitung Markt Messung Museum Neubau
Nutzung Park Pflaster Planung Prüfung Quartier Radweg Rathaus Sanierung Satzung Schule Siedlung Spielplatz Sportplatz
Straße Tiefgarage Tunnel Turnhalle Umbau Umwelt Verkehr Vermessung Vertrag Wald Wasserwerk Weg Werkstatt Widerspruch
Wohnung Zähler Zaun Zufahrt`.split(/\s+/);

/** Creates the temporary table `bench_words`, from which SQL builds names, titles and their search keys and vectors. */
export async function seedWords(client: pg.Client): Promise<void> {
  const words = WORDS.map((word, n) => {
    const { searchText, searchStarts } = fileSearchKeys('', word);
    const { words: parts, positions } = singlePart(word);
    return { n, word, folded: searchText.trim(), starts: searchStarts, parts, positions };
  });
  await client.query(`CREATE TEMP TABLE IF NOT EXISTS bench_words
    (n integer PRIMARY KEY, word text, folded text, starts text[], vector tsvector)`);
  await client.query(
    `INSERT INTO bench_words
     SELECT seeded.n, seeded.word, seeded.folded, seeded.starts, ${documentVector('seeded.parts', 'seeded.positions')}
       FROM jsonb_to_recordset($1) AS seeded
              (n integer, word text, folded text, starts text[], parts text[], positions text[])
     ON CONFLICT DO NOTHING`,
    [JSON.stringify(words)],
  );
  await client.query('ANALYZE bench_words');
}

/**
 * SQL that selects three words for the number `i` with a different step for each position. It joins `bench_words` as w1 to
 * w3. Names repeat after several hundred thousand rows, and consecutive names have no word in common.
 */
export const THREE_WORDS = `
  JOIN bench_words w1 ON w1.n = (i * 31) % ${WORDS.length}
  JOIN bench_words w2 ON w2.n = (i * 17 + i / ${WORDS.length} + 5) % ${WORDS.length}
  JOIN bench_words w3 ON w3.n = (i * 7 + i / ${WORDS.length ** 2} + 11) % ${WORDS.length}`;
