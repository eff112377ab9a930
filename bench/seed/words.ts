import { fileSearchKeys } from '../../src/resources/files/file-search.js';

const WORDS =
  `Abwasser Akte Allee Amtsgericht Antrag Aufsicht Ausbau Bahnhof Baugenehmigung Bebauungsplan Bescheid
Brandschutz Brücke Bürgerbüro Denkmal Deponie Einspruch Energie Erweiterung Fassade Feuerwache Flurstück Förderung
Friedhof Garten Gebäude Gehweg Gewässer Grundstück Gutachten Hafen Halle Haushalt Heizung Instandsetzung Jugendhaus
Kanal Kataster Kindergarten Klage Kläranlage Kreisverkehr Lageplan Lärmschutz Leitung Markt Messung Museum Neubau
Nutzung Park Pflaster Planung Prüfung Quartier Radweg Rathaus Sanierung Satzung Schule Siedlung Spielplatz Sportplatz
Straße Tiefgarage Tunnel Turnhalle Umbau Umwelt Verkehr Vermessung Vertrag Wald Wasserwerk Weg Werkstatt Widerspruch
Wohnung Zähler Zaun Zufahrt`.split(/\s+/);

export interface SeedWord {
  readonly word: string;
  readonly folded: string;
  readonly starts: readonly string[];
}

/** The words of names with their search keys, so that SQL can build names and their search keys. */
export const SEED_WORDS: readonly SeedWord[] = WORDS.map((word) => {
  const { searchText, searchStarts } = fileSearchKeys('', word);
  return { word, folded: searchText.trim(), starts: searchStarts };
});

/**
 * SQL that selects three words for the number `i` with a different step for each position. It joins `bench_words` as w1 to
 * w3. Names repeat after several hundred thousand rows, and consecutive names have no word in common.
 */
export const THREE_WORDS = `
  JOIN bench_words w1 ON w1.n = (i * 31) % ${WORDS.length}
  JOIN bench_words w2 ON w2.n = (i * 17 + i / ${WORDS.length} + 5) % ${WORDS.length}
  JOIN bench_words w3 ON w3.n = (i * 7 + i / ${WORDS.length ** 2} + 11) % ${WORDS.length}`;
