/** A migration that has something to say to the operator. */
export interface MigrationWithNotes {
  /** Set by `up`. */
  readonly notes: readonly string[];
}
