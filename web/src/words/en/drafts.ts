/** Texts about what is not saved yet, and what others save at the same time. */
export const drafts = {
  retrying:
    'Not saved yet: the service cannot be reached. Your changes are kept in this browser and saved as soon as it responds.',
  found: (ago: string) => `Your unsaved changes from ${ago} are still here.`,
  discard: 'Discard changes',
  both: 'Two versions',
  who: {
    somebody: 'Someone else',
    you: 'You, in another window,',
    program: 'An assistant or a program',
    programOf: (email: string) => `${email}, through an assistant or a program,`,
  },
  stale: (ago: string | undefined) =>
    `saved another version${ago === undefined ? '' : ` ${ago}`}. Your changes are still here. Which version do you want to keep?`,
  theirs: 'Saved',
  yours: 'Yours',
  takeTheirs: 'Use saved version',
  keepMine: 'Keep mine',
  merged: 'Someone else saved other parts in the meantime. Both changes are kept.',
}
