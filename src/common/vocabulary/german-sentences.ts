/**
 * The sentences that problem documents hold beside title and detail of their kind, with their German: the English one
 * is the key, just as it stands in the sources, with `{}` for what is filled in. Those that begin with a small letter
 * complete the path of a value, and so do their translations: “name darf nicht leer sein”.
 */
export const GERMAN_SENTENCES: Readonly<Record<string, string>> = {
  // Any value
  'is required': 'wird benötigt',
  'must not be null': 'darf nicht null sein',
  'is not valid': 'ist nicht gültig',
  'must be a string': 'muss ein Text sein',
  'must be true or false': 'muss true oder false sein',
  'must be an array': 'muss eine Liste sein',
  'must be an object': 'muss ein Objekt sein',
  'must be a JSON object': 'muss ein JSON-Objekt sein',
  'must be a UUID': 'muss eine UUID sein',
  'must be UUIDs, separated by commas, none twice': 'müssen UUIDs sein, durch Kommas getrennt, keine zweimal',
  'must be one of {}': 'muss eines von diesen sein: {}',
  'must be a whole number from 1 to {}': 'muss eine ganze Zahl von 1 bis {} sein',
  'must be an ISO 8601 date-time with an offset':
    'muss ein Zeitpunkt nach ISO 8601 mit Zeitzonenabstand sein',
  'must be in the future': 'muss in der Zukunft liegen',
  'must not be earlier than {}': 'darf nicht vor {} liegen',
  'must be an e-mail address': 'muss eine E-Mail-Adresse sein',
  'must be the URL of an issuer, beginning with https:// or http://':
    'muss die URL eines Ausstellers sein, beginnend mit https:// oder http://',
  'must not be empty': 'darf nicht leer sein',
  'must not be given twice': 'darf nicht zweimal angegeben sein',
  'must not be there twice': 'darf nicht doppelt vorkommen',
  'is for {} only': 'ist nur für {} vorgesehen',
  'must have at least {} characters': 'muss mindestens {} Zeichen haben',
  'must have at most {} characters': 'darf höchstens {} Zeichen haben',
  'must have at most {} items': 'darf höchstens {} Einträge haben',
  'must have at most 64 KiB as JSON': 'darf als JSON höchstens 64 KiB haben',
  'must have at most {} words': 'darf höchstens {} Wörter haben',
  'must not be given together with order': 'darf nicht zusammen mit order angegeben sein',
  'must not be relevance without a q': 'darf ohne q nicht relevance sein',
  'must have at most {} members': 'darf höchstens {} Angaben enthalten',
  'must be well-formed Unicode, without lone surrogates':
    'muss wohlgeformtes Unicode sein, ohne einzelne Surrogate',
  'must not contain control characters': 'darf keine Steuerzeichen enthalten',
  'must not have more than {} combining marks in a row':
    'darf nicht mehr als {} kombinierende Zeichen hintereinander haben',
  'must begin with a lower-case letter and have at most 50 letters (a to z), digits or underscores':
    'muss mit einem Kleinbuchstaben beginnen und darf höchstens 50 Buchstaben (a bis z), Ziffern oder Unterstriche haben',
  'must begin with a lower-case letter and have at most 50 letters (a to z), digits, underscores or hyphens':
    'muss mit einem Kleinbuchstaben beginnen und darf höchstens 50 Buchstaben (a bis z), Ziffern, Unter- oder Bindestriche haben',
  'must have 1 to 50 letters (a to z), digits, underscores or hyphens':
    'muss aus 1 bis 50 Buchstaben (a bis z), Ziffern, Unter- oder Bindestrichen bestehen',
  'must have 1 to 255 visible ASCII characters': 'muss aus 1 bis 255 sichtbaren ASCII-Zeichen bestehen',
  'is not a known member': 'ist keine bekannte Angabe',
  'is not a known parameter': 'ist kein bekannter Parameter',
  'is not a known part': 'ist kein bekannter Teil',
  'is not a cursor of this list': 'ist kein Cursor dieser Liste',

  // What is referred to
  'names no file type of this tenant': 'nennt keinen Aktentyp dieses Mandanten',
  'names no file that the caller can see': 'nennt keine Akte, die der Aufrufer sehen kann',
  'names no file that the caller sees': 'nennt keine Akte, die der Aufrufer sieht',
  'names no document that the caller can see': 'nennt kein Dokument, das der Aufrufer sehen kann',
  'names no document type of this tenant': 'nennt keinen Dokumenttyp dieses Mandanten',
  'names an inactive document type': 'nennt einen stillgelegten Dokumenttyp',
  'names no tag of this tenant': 'nennt kein Schlagwort dieses Mandanten',
  'names no member of this tenant': 'nennt kein Mitglied dieses Mandanten',
  'names no role of this tenant': 'nennt keine Rolle dieses Mandanten',
  'names no saved view of the caller': 'nennt keine gespeicherte Ansicht des Aufrufers',
  'is not a permission': 'ist keine Berechtigung',

  // Document types and their fields
  'must have at most {} fields': 'darf höchstens {} Felder haben',
  'must have at most {} fields, removed ones not counted':
    'darf höchstens {} Felder haben, entfernte nicht mitgezählt',
  'cannot be more than {} with the removed ones': 'dürfen mit den entfernten nicht mehr als {} sein',
  'must have at most 1 MiB as JSON, removed ones included':
    'dürfen als JSON höchstens 1 MiB haben, entfernte eingeschlossen',
  'must have at most {} options': 'darf höchstens {} Optionen haben',
  'is required for an Enumeration': 'wird bei Enumeration benötigt',
  'is required for a Reference': 'wird bei Reference benötigt',
  'must be null or absent unless type is Enumeration':
    'muss null sein oder fehlen, außer wenn type Enumeration ist',
  'must be null or absent unless type is Reference':
    'muss null sein oder fehlen, außer wenn type Reference ist',
  'must not be true in a new document type': 'darf bei einem neuen Dokumenttyp nicht true sein',
  'names no field of this document type': 'nennt kein Feld dieses Dokumenttyps',
  'cannot change; it is {}': 'ist nicht zu ändern; es ist {}',
  'cannot change while documents have a value': 'ist nicht zu ändern, solange Dokumente einen Wert haben',
  'must keep {}, which documents have': 'muss {} behalten, denn Dokumente haben diesen Wert',

  // Values and conditions
  'is not a field of the document type': 'ist kein Feld des Dokumenttyps',
  'is not a field of any document type': 'ist kein Feld irgendeines Dokumenttyps',
  'is not a field: without documentTypeId a document has none':
    'ist kein Feld: ohne documentTypeId hat ein Dokument keine',
  'was removed from the document type and cannot be set':
    'wurde aus dem Dokumenttyp entfernt und kann nicht gesetzt werden',
  'must have at most 2 MiB as JSON, with the values of removed fields':
    'darf als JSON höchstens 2 MiB haben, mit den Werten entfernter Felder',
  'must be a decimal number in digits, such as "-12.5"':
    'muss eine Dezimalzahl in Ziffern sein, etwa "-12.5"',
  'must be a decimal number in digits, such as "-12.5", or a JSON number':
    'muss eine Dezimalzahl in Ziffern sein, etwa "-12.5", oder eine JSON-Zahl',
  'must have at most {} digits': 'darf höchstens {} Ziffern haben',
  'must have at most {} digits after the point in {}':
    'darf höchstens {} Ziffern nach dem Punkt haben, denn so viele hat {}',
  'must be sent as a string: a JSON number has at most 15 significant digits, or it would not arrive as it was sent':
    'muss als Text gesendet werden: eine JSON-Zahl hat höchstens 15 gültige Ziffern, sonst käme sie nicht so an, wie sie gesendet wurde',
  'must be a string, a number, or an object with amount and currency':
    'muss ein Text, eine Zahl oder ein Objekt mit amount und currency sein',
  'must be an object with amount and currency': 'muss ein Objekt mit amount und currency sein',
  'must be the code of an ISO 4217 currency, such as EUR': 'muss eine Währung nach ISO 4217 sein, etwa EUR',
  'must be an amount, or an amount and an ISO 4217 currency, such as "1234.50 EUR"':
    'muss ein Betrag sein, oder ein Betrag mit einer Währung nach ISO 4217, etwa "1234.50 EUR"',
  'must be a day of the calendar, YYYY-MM-DD': 'muss ein Tag des Kalenders sein, JJJJ-MM-TT',
  'must be the key of an option of the field': 'muss der Schlüssel einer Option des Feldes sein',
  'is not the key of a field': 'ist kein Schlüssel eines Feldes',
  'does not fit a field of the type {}': 'passt nicht zu einem Feld des Typs {}',
  'must be null with {}': 'muss bei {} null sein',
  'is required with {}': 'wird bei {} benötigt',
  'must be null or absent for this operator': 'muss bei diesem Operator null sein oder fehlen',
  'is required for this operator': 'wird bei diesem Operator benötigt',

  // Bodies and uploads
  'A request of HTTP/1.1 has exactly one header field Host.':
    'Eine Anfrage nach HTTP/1.1 hat genau einen Header Host.',
  'The service speaks HTTP/1.1 and HTTP/1.0.': 'Der Dienst spricht HTTP/1.1 und HTTP/1.0.',
  'A JSON body is required.': 'Die Anfrage braucht einen Inhalt in JSON.',
  'The JSON body has at most {} bytes here.': 'Der JSON-Inhalt hat hier höchstens {} Bytes.',
  'Send the body as application/json, in UTF-8.': 'Der Inhalt ist als application/json in UTF-8 zu senden.',
  'Send the body without a content encoding.': 'Der Inhalt ist ohne Content-Encoding zu senden.',
  'The body is not well-formed UTF-8.': 'Der Inhalt ist kein wohlgeformtes UTF-8.',
  'The body is not well-formed JSON.': 'Der Inhalt ist kein wohlgeformtes JSON.',
  'The body is nested more than {} levels deep.': 'Der Inhalt ist mehr als {} Ebenen tief verschachtelt.',
  'The body has more than {} values.': 'Der Inhalt hat mehr als {} Werte.',
  'The body comes too slowly to be waited for.': 'Der Inhalt kommt zu langsam, um auf ihn zu warten.',
  'The body ends before it is complete.': 'Der Inhalt endet, bevor er vollständig ist.',
  'The body must be multipart/form-data.': 'Der Inhalt muss multipart/form-data sein.',
  'The Content-Type of a multipart body must name its boundary.':
    'Der Content-Type eines mehrteiligen Inhalts muss dessen boundary nennen.',
  'The boundary of the multipart body is not valid.':
    'Die boundary des mehrteiligen Inhalts ist nicht gültig.',
  'The boundary of the multipart body occurs inside a part.':
    'Die boundary des mehrteiligen Inhalts kommt in einem Teil vor.',
  'The multipart body ends before its last boundary.':
    'Der mehrteilige Inhalt endet vor seiner letzten boundary.',
  'A part of the multipart body has a header that is not valid.':
    'Ein Teil des mehrteiligen Inhalts hat einen ungültigen Header.',
  'A part of the multipart body has too long a header.':
    'Ein Teil des mehrteiligen Inhalts hat einen zu langen Header.',
  'Every part must have a header Content-Disposition: form-data with a name.':
    'Jeder Teil braucht einen Header Content-Disposition: form-data mit einem Namen.',
  'must have at most {} parts': 'darf höchstens {} Teile haben',
  'must come after the part document': 'muss nach dem Teil document kommen',
  'must be sent as it is, without a Content-Transfer-Encoding':
    'muss so gesendet werden, wie es ist, ohne Content-Transfer-Encoding',
  'must be JSON, of the media type application/json': 'muss JSON sein, mit dem Medientyp application/json',
  'Parts that nobody asked for are too large.': 'Teile, nach denen niemand gefragt hat, sind zu groß.',
  'The content is required.': 'Der Inhalt wird benötigt.',
  'must not be sent: the content is only replaced as a whole':
    'darf nicht gesendet werden: der Inhalt wird nur im Ganzen ersetzt',
  'must encode the file name as RFC 8187 specifies': 'muss den Dateinamen nach RFC 8187 kodieren',
  'The part document is larger than {} bytes.': 'Der Teil document ist größer als {} Bytes.',
  'The part {} is not UTF-8.': 'Der Teil {} ist kein UTF-8.',
  'The content is larger than {} bytes.': 'Der Inhalt ist größer als {} Bytes.',

  // Limits
  'Too many large requests or answers are in progress; try again later.':
    'Es sind zu viele große Anfragen oder Antworten in Arbeit; später noch einmal versuchen.',
  'Too many requests are in progress; try again when some of them are answered.':
    'Es sind zu viele Anfragen in Bearbeitung; noch einmal versuchen, wenn einige beantwortet sind.',

  // Readiness
  'The service is stopping.': 'Der Dienst wird beendet.',
  'The database does not answer.': 'Die Datenbank antwortet nicht.',
  'The issuer has not answered since the start.': 'Der Issuer hat seit dem Start nicht geantwortet.',

  // States
  'The document is archived already.': 'Das Dokument ist bereits archiviert.',
};
