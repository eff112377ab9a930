import { problems } from './catalogue.js';

/** Holds and disposals. A problem never contains the name or the reason of a hold. */
export const RECORDS_PROBLEMS = problems({
  'hold.active': {
    status: 409,
    title: { en: 'Hold active', de: 'Löschsperre aktiv' },
    detail: {
      en: 'An active hold contains the document or its file, which therefore cannot be changed or removed.',
      de: 'Für das Dokument oder seine Akte besteht eine Löschsperre. Änderungen und Löschen sind nicht möglich.',
    },
    advice: {
      en: 'Ask a records manager whether the hold can be released.',
      de: 'Bei der Schriftgutverwaltung nachfragen, ob die Löschsperre aufgehoben werden kann.',
    },
  },
  'hold.released': {
    status: 409,
    title: { en: 'Hold released', de: 'Löschsperre aufgehoben' },
    detail: {
      en: 'The hold has been released and cannot be changed any more.',
      de: 'Die Löschsperre ist aufgehoben und kann nicht mehr geändert werden.',
    },
    advice: {
      en: 'Create a new hold. No action is needed to release this one.',
      de: 'Eine neue Löschsperre anlegen. Diese muss nicht mehr aufgehoben werden.',
    },
  },
  'disposal.nothing-due': {
    status: 409,
    title: { en: 'No file due', de: 'Keine Akte fällig' },
    detail: {
      en: 'No file of the type is due before this day that is visible to you, not held, and in no other disposal.',
      de: 'Keine sichtbare Akte des Typs ist vor diesem Tag fällig, ohne Löschsperre und in keiner anderen Aussonderung.',
    },
    advice: {
      en: 'Check the retention rule of the file type, and the holds.',
      de: 'Aufbewahrungsfrist des Aktentyps und Löschsperren prüfen.',
    },
  },
  'disposal.not-draft': {
    status: 409,
    title: { en: 'Disposal submitted', de: 'Aussonderung vorgelegt' },
    detail: {
      en: 'The disposal has been submitted and cannot be changed.',
      de: 'Die Aussonderung ist vorgelegt und kann nicht geändert werden.',
    },
    advice: {
      en: 'Ask for its rejection; then it can be changed.',
      de: 'Um Zurückweisung bitten; danach ist sie änderbar.',
    },
  },
  'disposal.not-submitted': {
    status: 409,
    title: { en: 'Disposal not submitted', de: 'Aussonderung nicht vorgelegt' },
    detail: {
      en: 'Only a submitted disposal can be approved or rejected.',
      de: 'Nur eine vorgelegte Aussonderung kann genehmigt oder zurückgewiesen werden.',
    },
    advice: { en: 'Read the disposal again.', de: 'Die Aussonderung erneut lesen.' },
  },
  'disposal.undecided': {
    status: 409,
    title: { en: 'Files without a decision', de: 'Akten ohne Entscheidung' },
    detail: {
      en: 'Some files of the disposal have no decision.',
      de: 'Über einige Akten der Aussonderung ist nicht entschieden.',
    },
    advice: {
      en: 'Decide on each file, or on all others at once with the update of the disposal.',
      de: 'Über jede Akte entscheiden, oder mit der Änderung der Aussonderung über alle übrigen.',
    },
  },
  'disposal.same-person': {
    status: 409,
    title: { en: 'Another person must approve', de: 'Genehmigung durch eine andere Person nötig' },
    detail: {
      en: 'You made, changed or submitted the disposal.',
      de: 'Wer die Aussonderung angelegt, geändert oder vorgelegt hat, kann sie nicht genehmigen.',
    },
    advice: {
      en: 'Ask another member with disposals.approve.',
      de: 'Ein anderes Mitglied mit disposals.approve bitten.',
    },
  },
  'disposal.rule-changed': {
    status: 409,
    title: { en: 'Retention rule changed', de: 'Aufbewahrungsfrist geändert' },
    detail: {
      en: 'The retention rule of the file type has changed since the disposal was submitted.',
      de: 'Die Aufbewahrungsfrist des Aktentyps wurde geändert, nachdem die Aussonderung vorgelegt wurde.',
    },
    advice: {
      en: 'Reject the disposal, so that it can be checked and submitted again.',
      de: 'Die Aussonderung zurückweisen, damit sie geprüft und erneut vorgelegt werden kann.',
    },
  },
  'disposal.not-completed': {
    status: 409,
    title: { en: 'Disposal not completed', de: 'Aussonderung nicht abgeschlossen' },
    detail: {
      en: 'The disposal is not completed, so it has no certificate.',
      de: 'Die Aussonderung ist nicht abgeschlossen und hat deshalb keinen Nachweis.',
    },
    advice: {
      en: 'Wait for the notification `DisposalCompleted`.',
      de: 'Auf die Benachrichtigung `DisposalCompleted` warten.',
    },
  },
  'disposal.running': {
    status: 409,
    title: { en: 'File being disposed of', de: 'Akte wird ausgesondert' },
    detail: {
      en: 'The file, or a file of the document, is in an approved disposal.',
      de: 'Die Akte oder eine Akte des Dokuments ist in einer genehmigten Aussonderung.',
    },
    advice: {
      en: 'Wait until the disposal is completed. It skips files that are held before their destruction begins.',
      de: 'Den Abschluss der Aussonderung abwarten. Akten mit Löschsperre vor Beginn der Vernichtung überspringt sie.',
    },
  },
});
