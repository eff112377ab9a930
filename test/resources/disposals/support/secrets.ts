/** Words in the texts of what a disposal destroys. No other text contains any of them. */
export const SECRETS = {
  number: 'Zwirbelnummer',
  name: 'Zwirbelname',
  formerName: 'Zwirbelvorname',
  title: 'Zwirbeltitel',
  confidential: 'Zwirbelgeheimnis',
  deleted: 'Zwirbelpapierkorb',
  field: 'Zwirbelfeld',
  fileName: 'Zwirbeldatei',
  text: 'Zwirbelinhalt',
  reason: 'Zwirbelgrund',
  /** A tag exists without documents, so its own name stays. */
  tag: 'Zwirbelmarke',
} as const;

type Secret = keyof typeof SECRETS;

/** Which of the words the text has, in any case, also in an URL. */
export function secretsIn(text: string): Secret[] {
  const folded = text.toLowerCase();
  return (Object.keys(SECRETS) as Secret[]).filter((name) => folded.includes(SECRETS[name].toLowerCase()));
}
