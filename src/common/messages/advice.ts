/** Advice for a request that asks for a state that is there already. */
export const NOTHING_TO_DO = {
  en: 'Nothing: things are as the request wants them. Read the resource again where its state was not known.',
  de: 'Nichts: es ist schon so, wie die Anfrage es will. Die Ressource neu lesen, wo ihr Stand nicht bekannt war.',
};
