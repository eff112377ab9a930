/** Advice for a request whose result is already the state of the resource. */
export const NO_CHANGE_NEEDED = {
  en: 'No action needed: the resource already has the requested state. Read it again if its state was not known.',
  de: 'Kein Handlungsbedarf: Die Ressource hat bereits den gewünschten Zustand. Bei unbekanntem Stand die Ressource erneut lesen.',
};
