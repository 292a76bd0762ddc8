/** The numbers of the limits of sequences. */
export const sequenceLimits = {
  nameLength: 100,
  /** Sequences per business. */
  sequences: 100,
  /** Steps, with those of all branches. */
  steps: 50,
  /** How deep branches may be nested. */
  nesting: 2,
  branches: 5,
  /** The longest wait in days. */
  waitDays: 366,
  valueLength: 200,
  holdout: 50,
  /** Roles and members that one step tells. */
  members: 10,
  noteLength: 200,
  /** Mails to one member in 24 hours about the steps that tell them. */
  notesADay: 50,
  /** Fields that one step sets. */
  fields: 10,
  /** How often one person may enter within a day, so that sequences cannot drive each other on. */
  entriesPerDay: 24,
  /** People whom connected apps let into an approved automation in a day without being counted. */
  byConnections: 20,
  /** People whom one call lets in. */
  enrolled: 1_000,
} as const
