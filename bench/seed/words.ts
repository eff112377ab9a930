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

/** The vocabulary of the names, with what the service searches each word by, so that SQL can put names together. */
export const SEED_WORDS: readonly SeedWord[] = WORDS.map((word) => {
  const { searchText, searchStarts } = fileSearchKeys('', word);
  return { word, folded: searchText.trim(), starts: searchStarts };
});

/**
 * SQL that picks three words by the number `i`, each position at a pace of its own. It joins `bench_words` as w1 to w3;
 * names repeat after some hundred thousand, and no two neighbours share a word.
 */
export const THREE_WORDS = `
  JOIN bench_words w1 ON w1.n = (i * 31) % ${WORDS.length}
  JOIN bench_words w2 ON w2.n = (i * 17 + i / ${WORDS.length} + 5) % ${WORDS.length}
  JOIN bench_words w3 ON w3.n = (i * 7 + i / ${WORDS.length ** 2} + 11) % ${WORDS.length}`;
