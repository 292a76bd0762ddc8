/** Texts about what is not saved yet, and what others save at the same time. */
export const drafts = {
  retrying:
    'Not saved yet: the service cannot be reached. Your changes are kept in this browser, and they are saved as soon as it answers.',
  found: (ago: string) => `Your unsaved changes from ${ago} are still here.`,
  discard: 'Discard them',
  both: 'Two versions',
  who: {
    somebody: 'Somebody else',
    you: 'You, in another window,',
    program: 'An assistant or a program',
    programOf: (email: string) => `${email}, through an assistant or a program,`,
  },
  stale: (ago: string | undefined) =>
    `saved another version${ago === undefined ? '' : ` ${ago}`}. Your changes are still here. Which version of these do you want?`,
  theirs: 'Saved',
  yours: 'Yours',
  takeTheirs: 'Take the saved one',
  keepMine: 'Keep mine',
  merged: 'Somebody else saved other parts of this meanwhile. Both are kept.',
}
